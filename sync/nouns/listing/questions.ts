import {
  combineLatest,
  defer,
  distinctUntilChanged,
  map,
  type Observable,
  of,
  switchMap,
} from 'rxjs'
import type * as v from 'valibot'
import {
  RECOMMENDATIONS_SIZE,
  RELATED_SIZE,
  SIMILAR_SIZE,
  SUGGESTIONS,
  SUGGEST_MIN,
} from '#schema/limits'
import { localId } from '#schema/localConversation'
import { later } from '#schema/port/outcome'
import {
  browseListings,
  contactSeller,
  facets,
  readFacets,
  readListing as readListingCall,
  recommendListings,
  similarListings,
} from '#schema/wire/listing'
import { suggestions, suggestSearches } from '#schema/wire/suggestion'
import type { Filters, Need, Params, QuestionRules, RequestRules, Tools } from '../../noun.ts'
import { factsNeed, mapAnswer, observeFacts, observeList } from '../needs.ts'
import { deepEqual, idOf, members, msOf, text } from '../tolerant.ts'
import { isOpen, upsertListings, NOT_FOUND, readListing } from './upsert.ts'
import { fetching, FRESH_MS, isOffline, keyOf, listQuestion } from './list.ts'
import { withOptimisticState } from './optimistic.ts'

const BESIDE_FRESH_MS = 10 * 60_000

const facetsNeed = (filters: Filters) => ({
  ...factsNeed(`facets:${keyOf(filters)}`, readFacets, { query: filters }, (body) => body),
  personal: false,
  freshMs: FRESH_MS,
})

type Typed = Params<'listings.suggested'>

const isShort = ({ search }: Typed) => Array.from(search.trim()).length < SUGGEST_MIN
const suggestedFilters = ({ search, category }: Typed) => ({
  search: search.trim(),
  ...(category !== null && { category }),
})

const searchesNeed = (typed: Typed) => {
  const query = suggestedFilters(typed)
  return {
    ...factsNeed(`searches:${keyOf(query)}`, suggestSearches, { query }),
    personal: false,
  }
}

function serverFacts<T>(
  { store }: Tools,
  need: Need,
  schema: v.GenericSchema<unknown, T>,
  local: Observable<T | null>,
) {
  return observeFacts(store, need, schema).pipe(
    distinctUntilChanged(deepEqual),
    switchMap((facts) => (facts === null ? local : of(facts))),
  )
}

/** The code has all categories and places; without a network it may be missing. */
function loading<M, T>(load: () => Promise<M>, use: (code: M) => Observable<T>) {
  return defer(() => load().catch(() => null)).pipe(
    switchMap((code) => (code === null ? of(null) : use(code))),
  )
}

/** null: only the server can answer. */
const LOCAL_RECOMMENDATIONS: Record<Params<'listings.recommended'>['type'], Filters | null> = {
  for_you: null,
  followed: null,
  recent: {},
  trending: { ordering: '-views_total' },
  featured: { is_featured: 'true' },
}

const RELATED_MIN = 4

const sameCategory = (id: string, { store }: Tools) =>
  store.listings.findOne(id).$.pipe(
    map((listing) => (listing === null ? null : { category: listing.category, exclude: id })),
    distinctUntilChanged(deepEqual),
  )

const suggestedListings = listQuestion((params: Typed) => {
  const filters = suggestedFilters(params)
  return {
    key: `suggest:${keyOf(filters)}`,
    limit: SUGGESTIONS,
    freshMs: 5 * 60_000,
    localQuery: of(isShort(params) ? null : filters),
    fetch: fetching(browseListings, { query: { ...filters, page_size: SUGGESTIONS } }),
  }
})

function detailNeed(id: string): Need {
  return {
    key: `detail:${id}`,
    personal: true,
    freshMs: FRESH_MS,
    async fetch(tools, { known }) {
      const { http, store, now } = tools
      // A 304 is of use only with the details.
      const { more = null } = (await store.listings.findOne(id).exec()) ?? {}
      const etag = more && known?.etag
      const reply = await http.call(readListingCall, { params: { id }, etag }, (body) => {
        const listing = readListing(body, now())
        return listing && { listing, conversation_id: idOf(members(body)['conversation_id']) }
      })
      if (reply.kind === 'refused' && reply.status === 404) await removeDeleted(tools, id)
      return mapAnswer(reply, async ({ listing, ...facts }) => {
        if (!isOpen(listing)) await store.listings.remove([id])
        await upsertListings(tools, [listing])
        return { facts }
      })
    },
  }
}

/** Unless it was created on this device and not sent yet. */
async function removeDeleted({ store }: Tools, id: string) {
  await store.listings.remove([id])
  const own = await store.ownListings.findOne(id).exec()
  if (own !== null && own.client_id !== id) await store.ownListings.remove([id])
}

export const questions = {
  'listings.browse': listQuestion(({ filters, limit, from: reading }) => ({
    key: `browse:${keyOf(filters)}`,
    personal: filters['seller'] === 'me',
    limit,
    freshMs: FRESH_MS,
    from: reading,
    localQuery: of(filters),
    fetch: fetching(browseListings, { query: filters }),
  })),
  'listings.facets': {
    watch: ({ filters }, tools) => {
      const { store, now, currentUser } = tools
      const local = loading(
        () => import('./search.ts'),
        ({ localFacets }) => localFacets(store, filters, now(), currentUser().language),
      )
      return serverFacts(tools, facetsNeed(filters), facets, local).pipe(
        map((found) => ({ rows: [], facts: { facets: found }, noDataYet: false })),
      )
    },
    needs: ({ filters }) => [facetsNeed(filters)],
  },
  'listings.recommended': listQuestion(({ type, limit }) => ({
    key: `recommended:${type}`,
    personal: type === 'for_you' || type === 'followed',
    limit,
    freshMs: 5 * 60_000,
    localQuery: of(LOCAL_RECOMMENDATIONS[type]),
    fetch: fetching(recommendListings, {
      query: { type, page_size: Math.min(limit, RECOMMENDATIONS_SIZE) },
    }),
  })),
  'listings.similar': listQuestion(({ id }, tools) => ({
    key: `similar:${id}`,
    limit: SIMILAR_SIZE,
    freshMs: BESIDE_FRESH_MS,
    localQuery: sameCategory(id, tools),
    fetch: fetching(similarListings, { params: { id }, query: { page_size: SIMILAR_SIZE } }),
  })),
  /** [API 8.5] */
  'listings.related': listQuestion(({ id }, tools) => ({
    key: `related:${id}`,
    limit: RELATED_SIZE,
    freshMs: BESIDE_FRESH_MS,
    localQuery: sameCategory(id, tools),
    async fetch({ http, store }, _page, read) {
      const listing = await store.listings.findOne(id).exec()
      if (listing === null) return later('behind', false)
      const { category, region } = listing
      const query = { category, exclude: id, page_size: RELATED_SIZE }
      const sameRegion = await http.call(browseListings, { query: { ...query, region } }, read)
      const isEnough = sameRegion.kind !== 'done' || sameRegion.answer.rows.length >= RELATED_MIN
      const reply = isEnough ? sameRegion : await http.call(browseListings, { query }, read)
      // Only the first page is shown.
      return mapAnswer(reply, (page) => ({ ...page, next: null }))
    },
  })),
  'listings.suggested': {
    watch: (params, tools) =>
      suggestedListings.watch(params, tools).pipe(map((listings) => ({ ...listings, facts: {} }))),
    needs: (params, tools) => (isShort(params) ? [] : suggestedListings.needs(params, tools)),
  },
  'searches.suggested': {
    watch(params, tools) {
      const local = loading(
        () => import('./suggestLocally.ts'),
        ({ localSuggestions }) => localSuggestions(suggestedFilters(params), tools),
      )
      const whenOffline = isOffline(tools).pipe(
        switchMap((offline) => (offline ? local : of(null))),
      )
      return serverFacts(tools, searchesNeed(params), suggestions, whenOffline).pipe(
        map((found) => ({ rows: [], facts: { suggestions: found } })),
      )
    },
    needs: (params) => (isShort(params) ? [] : [searchesNeed(params)]),
  },
  'listing.detail': {
    watch: ({ id }, { store, currentUser, outbox, now }) =>
      combineLatest([
        store.listings.findOne(id).$,
        store.ownListings.findOne(id).$,
        observeList(store, detailNeed(id)),
        store.conversations.findOne(localId(id)).$,
        outbox,
      ]).pipe(
        map(([publicListing, ownListing, listDocument, started, entries]) => {
          const isDeleted = entries.some(
            ({ name, payload, state }) =>
              name === 'listing.delete' && payload['listing'] === id && state !== 'refused',
          )
          const isOwnNewer =
            ownListing !== null &&
            (publicListing === null ||
              msOf(ownListing.updated_at) >= msOf(publicListing.updated_at))
          const newest = isOwnNewer
            ? withOptimisticState(ownListing, entries, now())
            : publicListing
          const listing = isDeleted ? null : newest
          return {
            rows: listing ? [listing] : [],
            facts: {
              problem: isDeleted ? NOT_FOUND : (listDocument?.problem ?? null),
              isOwner: listing?.seller_id === currentUser().me,
              conversation:
                started?.movedTo ??
                started?.id ??
                idOf(members(listDocument?.facts)['conversation_id']),
            },
          }
        }),
      ),
    needs: ({ id }) => [detailNeed(id)],
  },
} satisfies QuestionRules

export const listingRequests: RequestRules = {
  /** Documents embedded in a page. */
  'listings.given': async ({ rows, at }, tools) => {
    const listings = rows.flatMap((row) => {
      const more = members(row['more'])
      const body = { ...row, ...more, images: more['images'] ?? [row['cover']] }
      return readListing(body, at) ?? []
    })
    await upsertListings(tools, listings)
    return { kind: 'done', answer: null }
  },
  'listing.phone': ({ listing, channel }, { http }) =>
    http.call(contactSeller, { params: { id: listing }, body: { channel } }, (body) =>
      idOf(members(body)['listing_id']) === listing
        ? { phone: text(members(body)['contact_phone']) }
        : null,
    ),
}
