import {
  combineLatest,
  distinctUntilChanged,
  from,
  map,
  of,
  switchMap,
  type Observable,
} from 'rxjs'
import * as v from 'valibot'
import type { ListingDocument } from '#schema/disk/documents'
import {
  RECOMMENDATIONS_SIZE,
  RELATED_SIZE,
  SIMILAR_SIZE,
  SUGGESTIONS,
  SUGGEST_MIN,
} from '#schema/limits'
import { localId } from '#schema/localConversation'
import type { Filters } from '#schema/port/question'
import {
  browseListings,
  facets,
  readFacets,
  readListing as readListingCall,
  recommendListings,
  similarListings,
} from '#schema/wire/listing'
import type { Need, QuestionRule, QuestionRules, Tools } from '../../noun.ts'
import { deepEqual, msOf } from '../tolerant.ts'
import { conversationOf, isListed, upsertListings, NOT_FOUND } from './upsert.ts'
import { FRESH_MS, keyOf, listNeed, watchList, type ListQuery } from './list.ts'
import { readListing } from './read.ts'
import { withOptimisticState } from './optimistic.ts'

const browseWish = (filters: Filters, limit: number, reading?: number): ListQuery => ({
  key: `browse:${keyOf(filters)}`,
  personal: filters['seller'] === 'me',
  limit,
  from: reading,
  phone: of(filters),
})

const browse: QuestionRule<'listings.browse'> = {
  watch: ({ filters, limit, from: reading }, tools) =>
    watchList(browseWish(filters, limit, reading), tools),
  needs: ({ filters, limit }) => [
    listNeed(browseWish(filters, limit), FRESH_MS, ({ http }, how, read) =>
      http.call(browseListings, { query: filters, ...how }, read),
    ),
  ],
  samples: [
    { filters: {}, limit: 20 },
    {
      filters: {
        category: 'vehicles',
        region: 'kadiogo',
        price_max: '5000000',
        search: 'toyota',
        ordering: 'price',
      },
      limit: 40,
    },
  ],
}

/** The server's counts if available, else counts over local listings. */
const facetsOf: QuestionRule<'listings.facets'> = {
  watch: ({ filters }, { store, now, currentUser }) =>
    store.observeOne('lists', `facets:${keyOf(filters)}`).pipe(
      map((book) => v.safeParse(facets, book?.facts)),
      map((said) => (said.success ? said.output : null)),
      distinctUntilChanged(deepEqual),
      switchMap((said) =>
        said === null
          ? from(import('./search.ts').catch(() => null)).pipe(
              switchMap(
                (search) =>
                  search?.localFacets(store, filters, now(), currentUser().language) ?? of(null),
              ),
              map((counted) => ({
                rows: [],
                facts: { facets: counted, source: 'phone' as const },
              })),
            )
          : of({ rows: [], facts: { facets: said, source: 'server' as const } }),
      ),
    ),
  needs: ({ filters }) => [
    {
      key: `facets:${keyOf(filters)}`,
      personal: false,
      freshMs: FRESH_MS,
      async fetch({ http }, { known }) {
        const reply = await http.call(
          readFacets,
          { query: filters, etag: known?.etag ?? null },
          (body) => ({ facts: body }),
        )
        return reply
      },
    },
  ],
  samples: [{ filters: {} }, { filters: { category: 'vehicles', condition: 'used' } }],
}

/** Local query of each type before the server answered; null: only the server can answer. */
const PHONE_RECOMMENDS: Readonly<Record<string, Filters | null>> = {
  for_you: null,
  followed: null,
  recent: {},
  trending: { ordering: '-views_total' },
  featured: { is_featured: 'true' },
}

const recommended: QuestionRule<'listings.recommended'> = {
  watch: (params, tools) => watchList(recommendWish(params), tools),
  needs: (params) => [
    listNeed(recommendWish(params), 5 * FRESH_MS, ({ http }, how, read) =>
      http.call(
        recommendListings,
        {
          query: { type: params.type, page_size: Math.min(params.limit, RECOMMENDATIONS_SIZE) },
          ...how,
        },
        read,
      ),
    ),
  ],
  samples: [
    { type: 'recent', limit: 8 },
    { type: 'for_you', limit: 20 },
  ],
}

function recommendWish({
  type,
  limit,
}: {
  readonly type: string
  readonly limit: number
}): ListQuery {
  const personal = type === 'for_you' || type === 'followed'
  return { key: `recommended:${type}`, personal, limit, phone: of(PHONE_RECOMMENDS[type] ?? null) }
}

const similar: QuestionRule<'listings.similar'> = {
  watch: ({ id }, tools) => watchList(besideWish('similar', id, SIMILAR_SIZE, tools), tools),
  needs: ({ id }, tools) => [
    listNeed(besideWish('similar', id, SIMILAR_SIZE, tools), 10 * FRESH_MS, ({ http }, how, read) =>
      http.call(
        similarListings,
        { params: { id }, query: { page_size: SIMILAR_SIZE }, ...how },
        read,
      ),
    ),
  ],
  samples: [{ id: 'L1' }],
}

/**
 * No endpoint of its own: listings of the same category and region, or of the category alone when
 * few [API 8.5].
 */
const related: QuestionRule<'listings.related'> = {
  watch: ({ id }, tools) => watchList(besideWish('related', id, RELATED_SIZE, tools), tools),
  needs: ({ id }, tools) => [
    listNeed(
      besideWish('related', id, RELATED_SIZE, tools),
      10 * FRESH_MS,
      async ({ http, store }, _how, read) => {
        const listing = await store.one('listings', id)
        if (listing === null)
          return { kind: 'later', why: 'behind', retryAfterMs: null, reached: false }
        const query = { category: listing.category, exclude: id, page_size: RELATED_SIZE }
        const near = await http.call(
          browseListings,
          { query: { ...query, region: listing.region } },
          read,
        )
        const enough = near.kind !== 'done' || near.answer.rows.length >= RELATED_MIN
        const reply = enough ? near : await http.call(browseListings, { query }, read)
        // Only the first page is shown.
        return reply.kind === 'done' ? { ...reply, answer: { ...reply.answer, next: null } } : reply
      },
    ),
  ],
  samples: [{ id: 'L1' }],
}

const RELATED_MIN = 4

function besideWish(kind: string, id: string, limit: number, { store }: Tools): ListQuery {
  const phone = store.observeOne('listings', id).pipe(
    map((listing) => (listing === null ? null : { category: listing.category, exclude: id })),
    distinctUntilChanged(deepEqual),
  )
  return { key: `${kind}:${id}`, personal: false, limit, phone }
}

const suggested: QuestionRule<'listings.suggested'> = {
  watch: (params, tools) =>
    watchList(suggestWish(params), tools).pipe(
      map(({ rows, empty }) => ({ rows, facts: {}, ...(empty !== undefined && { empty }) })),
    ),
  needs: (params) =>
    isShort(params)
      ? []
      : [
          listNeed(suggestWish(params), 5 * FRESH_MS, ({ http }, how, read) =>
            http.call(
              browseListings,
              { query: { ...suggestQuery(params), page_size: SUGGESTIONS }, ...how },
              read,
            ),
          ),
        ],
  samples: [{ search: 'toy', category: null }],
}

type Suggest = { readonly search: string; readonly category: string | null }
const isShort = ({ search }: Suggest) => Array.from(search.trim()).length < SUGGEST_MIN
const suggestQuery = ({ search, category }: Suggest): Filters => ({
  search: search.trim(),
  ...(category !== null && { category }),
})

function suggestWish(params: Suggest): ListQuery {
  const query = suggestQuery(params)
  return {
    key: `suggest:${keyOf(query)}`,
    personal: false,
    limit: SUGGESTIONS,
    phone: of(isShort(params) ? null : query),
  }
}

const detail: QuestionRule<'listing.detail'> = {
  watch({ id }, { store, currentUser, outbox, now }) {
    const shared = store.observeOne('listings', id)
    const own = store.observeOne('ownListings', id)
    const book = store.observeOne('ownLists', `detail:${id}`)
    const saved = store.observeOne('saved', id)
    return combineLatest([shared, own, book, saved, conversationOn(id, store), outbox]).pipe(
      map(([seen, mine, known, favourite, begun, entries]) => {
        const deleted = entries.some(
          ({ name, payload, state }) =>
            name === 'listing.delete' && payload['listing'] === id && state !== 'refused',
        )
        const here: ListingDocument | null =
          mine !== null && (seen === null || msOf(mine.updated_at) >= msOf(seen.updated_at))
            ? withOptimisticState(mine, entries, now())
            : seen
        const listing = deleted ? null : here
        return {
          rows: listing === null ? [] : [listing],
          facts: {
            problem: deleted ? NOT_FOUND : (known?.problem ?? null),
            isOwner: listing !== null && listing.seller_id === currentUser().me,
            saved: favourite?.saved ?? false,
            conversation: begun ?? conversationOf(known?.facts),
          },
          empty: listing === null,
        }
      }),
    )
  },
  needs: ({ id }) => [detailNeed(id)],
  samples: [{ id: 'L1' }],
}

/** The listing was deleted. A locally created one is unknown to the server, so it stays. */
async function forget({ store }: Tools, id: string): Promise<void> {
  await store.remove('listings', [id])
  const own = await store.one('ownListings', id)
  if (own !== null && own.client_id !== id) await store.remove('ownListings', [id])
}

/** A conversation that was started locally, which the server may not know yet. */
function conversationOn(listing: string, store: Tools['store']): Observable<string | null> {
  return store
    .observeOne('conversations', localId(listing))
    .pipe(map((begun) => begun && (begun.movedTo ?? begun.id)))
}

function detailNeed(id: string): Need {
  return {
    key: `detail:${id}`,
    personal: true,
    freshMs: FRESH_MS,
    async fetch(tools, { known }) {
      const here = await tools.store.one('listings', id)
      const etag = here === null || here.more === null ? null : (known?.etag ?? null)
      const reply = await tools.http.call(readListingCall, { params: { id }, etag }, (body) => {
        const listing = readListing(body, tools.now())
        return listing && { listing, conversation: conversationOf(body) }
      })
      if (reply.kind === 'refused' && reply.status === 404) await forget(tools, id)
      if (reply.kind !== 'done') return reply
      const { listing, conversation } = reply.answer
      if (!isListed(listing.status) && listing.status !== 'sold')
        await tools.store.remove('listings', [id])
      await upsertListings(tools, [{ ...listing, openedAt: tools.now() }])
      return { ...reply, answer: { facts: { conversation_id: conversation } } }
    },
  }
}

export const questions = {
  'listings.browse': browse,
  'listings.facets': facetsOf,
  'listings.recommended': recommended,
  'listings.similar': similar,
  'listings.related': related,
  'listings.suggested': suggested,
  'listing.detail': detail,
} satisfies QuestionRules
