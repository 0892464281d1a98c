import { from, map, of, switchMap, type Observable } from 'rxjs'
import * as v from 'valibot'
import type { CatalogueDocument } from '#schema/disk/documents'
import {
  listCategories,
  places,
  readSpecs,
  specsMetadata,
  suggestPlaces,
  category,
} from '#schema/wire/catalogue'
import type {
  Need,
  HttpClient,
  QuestionRule,
  QuestionRules,
  CallResult,
  Store,
} from '../../noun.ts'
import { rowsOf } from '../tolerant.ts'

const FRESH_MS = 24 * 3_600_000

type Id = CatalogueDocument['id']

/** The server's document, or the built-in one until it is loaded [API 19]. */
function watch(
  id: Id,
  store: Store,
): Observable<{
  readonly rows: readonly CatalogueDocument[]
  readonly facts: Record<string, never>
  readonly noDataYet: boolean
}> {
  return store.catalogue.findOne(id).$.pipe(
    switchMap((document) =>
      document === null
        ? from(
            import('./builtin.ts').then(
              ({ builtin }) => builtin(id),
              () => null,
            ),
          )
        : of(document),
    ),
    map((document) => ({
      rows: document === null ? [] : [document],
      facts: {},
      noDataYet: document === null,
    })),
  )
}

function need(
  id: Id,
  ask: (net: HttpClient, etag: string | null) => Promise<CallResult<CatalogueDocument | null>>,
): Need {
  return {
    key: `catalogue:${id}`,
    personal: false,
    freshMs: FRESH_MS,
    async fetch({ http, store }, { known }) {
      const reply = await ask(
        http,
        (await store.catalogue.findOne(id).exec()) === null ? null : (known?.etag ?? null),
      )
      if (reply.kind !== 'done') return reply
      if (reply.answer !== null) await store.catalogue.put([reply.answer])
      return { ...reply, answer: {} }
    },
  }
}

/**
 * Parses a document; null for an unknown format, where the built-in copy stays in use. Wrapped in
 * an object, because a null result of `read` means "not an answer".
 */
function read<T>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  make: (read: T) => CatalogueDocument,
): CatalogueDocument | null {
  const found = v.safeParse(schema, value)
  return found.success ? make(found.output) : null
}

async function unwrapped(
  reply: Promise<CallResult<{ readonly document: CatalogueDocument | null }>>,
): Promise<CallResult<CatalogueDocument | null>> {
  const got = await reply
  return got.kind === 'done' ? { ...got, answer: got.answer.document } : got
}

const some = <T>(row: v.GenericSchema<unknown, T>) => v.pipe(v.array(row), v.minLength(1))

const categoriesNeed = need('categories', (net, etag) =>
  unwrapped(
    net.call(listCategories, { etag }, (body) => ({
      document: read(some(category), rowsOf(body), (categories) => ({
        id: 'categories',
        categories,
      })),
    })),
  ),
)
const specsNeed = need('specs', (net, etag) =>
  unwrapped(
    net.call(readSpecs, { etag }, (body) => ({
      document: read(some(specsMetadata), rowsOf(body), (specs) => ({ id: 'specs', specs })),
    })),
  ),
)
const placesNeed = need('places', (net, etag) =>
  unwrapped(
    net.call(suggestPlaces, { query: { all: true }, etag }, (body) => ({
      document: read(places, body, (all) => ({ id: 'places', places: all })),
    })),
  ),
)

const categories: QuestionRule<'catalogue.categories'> = {
  watch: (_, { store }) => watch('categories', store),
  needs: () => [categoriesNeed],
  samples: [{}],
}
const specs: QuestionRule<'catalogue.specs'> = {
  watch: (_, { store }) => watch('specs', store),
  needs: () => [specsNeed],
  samples: [{}],
}
const allPlaces: QuestionRule<'catalogue.places'> = {
  watch: (_, { store }) => watch('places', store),
  needs: () => [placesNeed],
  samples: [{}],
}

export const questions = {
  'catalogue.categories': categories,
  'catalogue.specs': specs,
  'catalogue.places': allPlaces,
} satisfies QuestionRules
