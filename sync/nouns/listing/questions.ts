import {
  combineLatest,
  distinctUntilChanged,
  from,
  map,
  of,
  switchMap,
  type Observable,
} from 'rxjs'
import {
  RECOMMENDATIONS_SIZE,
  RELATED_SIZE,
  SIMILAR_SIZE,
  SUGGESTIONS,
  SUGGEST_MIN,
} from '#schema/limits'
import { localId } from '#schema/localConversation'
import type { Filters, Params } from '#schema/port/question'
import {
  browseListings,
  facets,
  readFacets,
  readListing as readListingCall,
  recommendListings,
  similarListings,
} from '#schema/wire/listing'
import type { Need, QuestionRule, QuestionRules, Tools } from '../../noun.ts'
import { factsNeed, observeFacts } from '../needs.ts'
import { deepEqual, msOf } from '../tolerant.ts'
import { conversationOf, isListed, upsertListings, NOT_FOUND } from './upsert.ts'
import { FRESH_MS, keyOf, listQuestion, type ListQuery } from './list.ts'
import { readListing } from './read.ts'
import { withOptimisticState } from './optimistic.ts'

const browse = listQuestion<Params<'listings.browse'>>({
  list: ({ filters, limit, from: reading }) => ({
    key: `browse:${keyOf(filters)}`,
    personal: filters['seller'] === 'me',
    limit,
    from: reading,
    local: of(filters),
  }),
  freshMs: FRESH_MS,
  fetch: ({ filters }, { http }, page, read) =>
    http.call(browseListings, { query: filters, ...page }, read),
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
})

/** The server's counts if available, else counts over local listings. */
const facetsOf: QuestionRule<'listings.facets'> = {
  watch: ({ filters }, { store, now, currentUser }) =>
    observeFacts(store, facetsNeed(filters), facets).pipe(
      distinctUntilChanged(deepEqual),
      switchMap((counted) =>
        counted === null
          ? from(import('./search.ts').catch(() => null)).pipe(
              switchMap(
                (search) =>
                  search?.localFacets(store, filters, now(), currentUser().language) ?? of(null),
              ),
              map((local) => ({ rows: [], facts: { facets: local, source: 'phone' as const } })),
            )
          : of({ rows: [], facts: { facets: counted, source: 'server' as const } }),
      ),
    ),
  needs: ({ filters }) => [facetsNeed(filters)],
  samples: [{ filters: {} }, { filters: { category: 'vehicles', condition: 'used' } }],
}

const facetsNeed = (filters: Filters) =>
  factsNeed(
    { key: `facets:${keyOf(filters)}`, personal: false, freshMs: FRESH_MS },
    readFacets,
    { query: filters },
    (body) => body,
  )

/** Local query of each type before the server answered; null: only the server can answer. */
const LOCAL_RECOMMENDATIONS: Readonly<Record<string, Filters | null>> = {
  for_you: null,
  followed: null,
  recent: {},
  trending: { ordering: '-views_total' },
  featured: { is_featured: 'true' },
}

const recommended = listQuestion<Params<'listings.recommended'>>({
  list: ({ type, limit }) => ({
    key: `recommended:${type}`,
    personal: type === 'for_you' || type === 'followed',
    limit,
    local: of(LOCAL_RECOMMENDATIONS[type] ?? null),
  }),
  freshMs: 5 * FRESH_MS,
  fetch: ({ type, limit }, { http }, page, read) => {
    const query = { type, page_size: Math.min(limit, RECOMMENDATIONS_SIZE) }
    return http.call(recommendListings, { query, ...page }, read)
  },
  samples: [
    { type: 'recent', limit: 8 },
    { type: 'for_you', limit: 20 },
  ],
})

const similar = listQuestion<Params<'listings.similar'>>({
  list: ({ id }, tools) => listBeside('similar', id, SIMILAR_SIZE, tools),
  freshMs: 10 * FRESH_MS,
  fetch: ({ id }, { http }, page, read) =>
    http.call(
      similarListings,
      { params: { id }, query: { page_size: SIMILAR_SIZE }, ...page },
      read,
    ),
  samples: [{ id: 'L1' }],
})

/**
 * No endpoint of its own: listings of the same category and region, or of the category alone when
 * few [API 8.5].
 */
const related = listQuestion<Params<'listings.related'>>({
  list: ({ id }, tools) => listBeside('related', id, RELATED_SIZE, tools),
  freshMs: 10 * FRESH_MS,
  async fetch({ id }, { http, store }, _page, read) {
    const listing = await store.one('listings', id)
    if (listing === null)
      return { kind: 'later', why: 'behind', retryAfterMs: null, reached: false }
    const query = { category: listing.category, exclude: id, page_size: RELATED_SIZE }
    const near = await http.call(
      browseListings,
      { query: { ...query, region: listing.region } },
      read,
    )
    const isEnough = near.kind !== 'done' || near.answer.rows.length >= RELATED_MIN
    const reply = isEnough ? near : await http.call(browseListings, { query }, read)
    // Only the first page is shown.
    return reply.kind === 'done' ? { ...reply, answer: { ...reply.answer, next: null } } : reply
  },
  samples: [{ id: 'L1' }],
})

const RELATED_MIN = 4

function listBeside(kind: string, id: string, limit: number, { store }: Tools): ListQuery {
  const local = store.observeOne('listings', id).pipe(
    map((listing) => (listing === null ? null : { category: listing.category, exclude: id })),
    distinctUntilChanged(deepEqual),
  )
  return { key: `${kind}:${id}`, personal: false, limit, local }
}

const suggestions = listQuestion<Params<'listings.suggested'>>({
  list(params) {
    const query = suggestQuery(params)
    return {
      key: `suggest:${keyOf(query)}`,
      personal: false,
      limit: SUGGESTIONS,
      local: of(isShort(params) ? null : query),
    }
  },
  freshMs: 5 * FRESH_MS,
  fetch: (params, { http }, page, read) =>
    http.call(
      browseListings,
      { query: { ...suggestQuery(params), page_size: SUGGESTIONS }, ...page },
      read,
    ),
  samples: [{ search: 'toy', category: null }],
})

const suggested: QuestionRule<'listings.suggested'> = {
  ...suggestions,
  watch: (params, tools) =>
    suggestions.watch(params, tools).pipe(map((listings) => ({ ...listings, facts: {} }))),
  needs: (params, tools) => (isShort(params) ? [] : suggestions.needs(params, tools)),
}

const isShort = ({ search }: Params<'listings.suggested'>) =>
  Array.from(search.trim()).length < SUGGEST_MIN
const suggestQuery = ({ search, category }: Params<'listings.suggested'>): Filters => ({
  search: search.trim(),
  ...(category !== null && { category }),
})

const detail: QuestionRule<'listing.detail'> = {
  watch({ id }, { store, currentUser, outbox, now }) {
    return combineLatest([
      store.observeOne('listings', id),
      store.observeOne('ownListings', id),
      store.observeOne('ownLists', detailNeed(id).key),
      store.observeOne('saved', id),
      conversationOn(id, store),
      outbox,
    ]).pipe(
      map(([shared, own, known, favourite, started, entries]) => {
        const isDeleted = entries.some(
          ({ name, payload, state }) =>
            name === 'listing.delete' && payload['listing'] === id && state !== 'refused',
        )
        const isOwnNewer =
          own !== null && (shared === null || msOf(own.updated_at) >= msOf(shared.updated_at))
        const here = isOwnNewer ? withOptimisticState(own, entries, now()) : shared
        const listing = isDeleted ? null : here
        return {
          rows: listing === null ? [] : [listing],
          facts: {
            problem: isDeleted ? NOT_FOUND : (known?.problem ?? null),
            isOwner: listing !== null && listing.seller_id === currentUser().me,
            saved: favourite?.saved ?? false,
            conversation: started ?? conversationOf(known?.facts),
          },
          noDataYet: listing === null,
        }
      }),
    )
  },
  needs: ({ id }) => [detailNeed(id)],
  samples: [{ id: 'L1' }],
}

/** The listing was deleted. A locally created one is unknown to the server, so it stays. */
async function removeDeleted({ store }: Tools, id: string): Promise<void> {
  await store.remove('listings', [id])
  const own = await store.one('ownListings', id)
  if (own !== null && own.client_id !== id) await store.remove('ownListings', [id])
}

function conversationOn(listing: string, store: Tools['store']): Observable<string | null> {
  return store
    .observeOne('conversations', localId(listing))
    .pipe(map((started) => started && (started.movedTo ?? started.id)))
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
      if (reply.kind === 'refused' && reply.status === 404) await removeDeleted(tools, id)
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
