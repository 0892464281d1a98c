import { map, switchMap } from 'rxjs'
import * as v from 'valibot'
import type { CatalogueDocument } from '#schema/disk/documents'
import { places, readSpecs, specsMetadata, suggestPlaces } from '#schema/wire/catalogue'
import type { Call } from '#schema/wire/call'
import type { CallOptions, Need, QuestionRules, Tools } from '../../noun.ts'
import { parsed, rowsOf } from '../tolerant.ts'

/**
 * The server's document, or the built-in one until it is loaded. An unknown format changes nothing
 * [API 19].
 */
function document<C extends Call>(
  id: CatalogueDocument['id'],
  call: C,
  options: CallOptions<C>,
  read: (body: unknown) => CatalogueDocument | null,
) {
  const need: Need = {
    key: `catalogue:${id}`,
    personal: false,
    freshMs: 24 * 3_600_000,
    async fetch({ http, store }, { known }) {
      const stored = await store.catalogue.findOne(id).exec()
      const etag = stored && (known?.etag ?? null)
      // In an object: null would mean that it is not our server.
      const reply = await http.call(call, { ...options, etag }, (body) => ({ read: read(body) }))
      if (reply.kind !== 'done') return reply
      if (reply.answer.read !== null) await store.catalogue.put([reply.answer.read])
      return { ...reply, answer: {} }
    },
  }
  return {
    watch: (_params: unknown, { store }: Tools) =>
      store.catalogue.findOne(id).$.pipe(
        switchMap(async (stored) => stored ?? (await builtIn())?.builtin(id)),
        map((shown) => ({ rows: shown ? [shown] : [], facts: {} })),
      ),
    needs: () => [need],
  }
}

const builtIn = () => import('./builtin.ts').catch(() => null)

export const questions = {
  'catalogue.specs': document('specs', readSpecs, {}, (body) => {
    const specs = parsed(v.pipe(v.array(specsMetadata), v.minLength(1)), rowsOf(body))
    return specs && { id: 'specs', specs }
  }),
  'catalogue.places': document('places', suggestPlaces, { query: { all: true } }, (body) => {
    const all = parsed(places, body)
    return all && { id: 'places', places: all }
  }),
} satisfies QuestionRules
