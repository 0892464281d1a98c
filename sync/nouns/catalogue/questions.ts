import { map, switchMap } from 'rxjs'
import * as v from 'valibot'
import { places, readSpecs, specsMetadata, suggestPlaces } from '#schema/wire/catalogue'
import type { Call } from '#schema/wire/call'
import type { CallOptions, CatalogueDocument, Need, QuestionRules, Tools } from '../../noun.ts'
import { mapAnswer } from '../needs.ts'
import { parsed, rowsOf } from '../tolerant.ts'

/** Built in until the server's is loaded. An unknown format changes nothing [API 19]. */
function document<C extends Call>(
  id: CatalogueDocument['id'],
  call: C,
  options: CallOptions<C>,
  read: (body: unknown) => CatalogueDocument | null,
  builtIn: () => Promise<CatalogueDocument>,
) {
  const need: Need = {
    key: `catalogue:${id}`,
    personal: false,
    freshMs: 24 * 3_600_000,
    async fetch({ http, store }, { known }) {
      const stored = await store.catalogue.findOne(id).exec()
      const etag = stored && known?.etag
      // In an object: null would mean that it is not our server.
      const reply = await http.call(call, { ...options, etag }, (body) => ({ read: read(body) }))
      return mapAnswer(reply, async (answer) => {
        if (answer.read !== null) await store.catalogue.put([answer.read])
        return {}
      })
    },
  }
  return {
    watch: (_params: unknown, { store }: Tools) =>
      store.catalogue.findOne(id).$.pipe(
        switchMap(async (stored) => stored ?? (await builtIn().catch(() => null))),
        map((shown) => ({ rows: shown ? [shown] : [], facts: {} })),
      ),
    needs: () => [need],
  }
}

/** For the bounds of specs; the server's answer has the current year. */
const YEAR = 2026

export const questions = {
  'catalogue.specs': document(
    'specs',
    readSpecs,
    {},
    (body) => {
      const specs = parsed(v.pipe(v.array(specsMetadata), v.minLength(1)), rowsOf(body))
      return specs && { id: 'specs', specs }
    },
    async () => {
      const built = await import('#schema/catalogue')
      const specs = built.categories.flatMap(({ slug }) => built.specsMetadata(slug, YEAR) ?? [])
      return { id: 'specs', specs }
    },
  ),
  'catalogue.places': document(
    'places',
    suggestPlaces,
    { query: { all: true } },
    (body) => {
      const all = parsed(places, body)
      return all && { id: 'places', places: all }
    },
    async () => ({ id: 'places', places: (await import('#schema/places')).allPlaces() }),
  ),
} satisfies QuestionRules
