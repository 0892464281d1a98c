import {
  combineLatest,
  distinctUntilChanged,
  from,
  map,
  of,
  switchMap,
  take,
  type Observable,
} from 'rxjs'
import type { Query } from '#schema/filter'
import { PAGE_SIZE } from '#schema/limits'
import type { Call } from '#schema/wire/call'
import type {
  CallOptions,
  CallResult,
  ListDocument,
  ListFacts,
  ListingDocument,
  Need,
  Tools,
} from '../../noun.ts'
import { inOrder, mapAnswer, observeList } from '../needs.ts'
import { page, type Page } from '../tolerant.ts'
import { upsertListings, readListing } from './upsert.ts'

type ReadPage = (body: unknown) => Page<ListingDocument> | null
type PageRequest = { readonly etag: string | null } | { readonly next: string }

export type List = Readonly<{
  key: string
  personal?: boolean
  limit: number
  freshMs: number
  /** Identifies a reading, within which the order is stable (`schema/port/question.ts`). */
  from?: number | undefined
  /** Before the first answer, and offline after the covered rows; null: none. */
  localQuery: Observable<Query | null>
  fetch(tools: Tools, page: PageRequest, read: ReadPage): Promise<CallResult<Page<ListingDocument>>>
}>

export function fetching<C extends Call>(call: C, options: CallOptions<C>): List['fetch'] {
  return ({ http }, page, read) => http.call(call, { ...options, ...page }, read)
}

export function listQuestion<P>(listOf: (params: P, tools: Tools) => List) {
  return {
    watch: (params: P, tools: Tools) => watchList(listOf(params, tools), tools),
    needs: (params: P, tools: Tools) => [listNeed(listOf(params, tools))],
  }
}

/** Listings are published and sold all day. */
export const FRESH_MS = 60_000

export function keyOf(filters: Query) {
  const given = Object.entries(filters).filter(
    ([name, value]) => (value ?? '').trim() !== '' && name !== 'page' && name !== 'page_size',
  )
  return given
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

export function isOffline({ network: facts }: Tools) {
  return facts.pipe(
    map(({ network }) => network === 'offline' || network === 'captive'),
    distinctUntilChanged(),
  )
}

/** Covered rows equal the server's. Local matches stand before its answer, and offline behind. */
function watchList(list: List, tools: Tools) {
  return combineLatest([observeList(tools.store, list), isOffline(tools)]).pipe(
    switchMap(([known, offline]) => listed(list, tools, known, offline)),
  )
}

function listed(list: List, tools: Tools, known: ListDocument | null, offline: boolean) {
  const problem = known?.problem ?? null
  const server = known !== null && known.at > 0 && problem === null ? known : null
  const { ids, waiting } = server ? reading(list, tools, server.ids) : { ids: [], waiting: 0 }
  const named = new Set(server?.ids)
  const isLonger = server !== null && server.next !== null
  const hasMore = server !== null && ids.length + waiting < server.ids.length
  const isCutShort = offline && isLonger && !hasMore && ids.length < list.limit
  const behind =
    server === null || isCutShort
      ? matchesOf(list, tools).pipe(map((matches) => matches.filter((id) => !named.has(id))))
      : of([])
  return behind.pipe(
    switchMap((matches) => {
      const all = [...ids, ...matches]
      const shown = all.slice(0, list.limit)
      const fromServer = matches.length > 0 ? 'partial' : 'covered'
      const facts: ListFacts = {
        count: server ? server.count : matches.length,
        ...(server !== null && server.facts !== null && LOWER_BOUND),
        coverage: server ? fromServer : 'phone',
        covered: ids.length,
        more: hasMore || all.length > list.limit || (isLonger && !offline),
        waiting,
        problem,
      }
      const rows = tools.store.listings.findByIds(shown).$
      return rows.pipe(map((found) => ({ rows: inOrder(shown, found), facts })))
    }),
  )
}

/**
 * Imports the search only when there were local listings at the start: it has all categories and
 * places, and the first list of a device comes from the server.
 */
function matchesOf({ localQuery }: List, { store, now }: Tools) {
  const hasListings = store.listings.find({ limit: 1 }).$.pipe(
    map(([any]) => any !== undefined),
    take(1),
  )
  const newest = () =>
    store.listings
      .find({ sort: [{ newest: 'asc' }] })
      .$.pipe(map((rows) => rows.map(({ id }) => id)))
  // All listings need no search, which may be missing without a network.
  const matches = (query: Query) =>
    from(import('./search.ts').catch(() => null)).pipe(
      switchMap((search) => {
        if (search) return search.localMatches(store, query, now())
        return keyOf(query) === '' ? newest() : of([])
      }),
    )
  return localQuery.pipe(
    switchMap((query) =>
      query === null
        ? of([])
        : hasListings.pipe(switchMap((has) => (has ? matches(query) : of([])))),
    ),
  )
}

const READINGS_MAX = 40
const readings = new WeakMap<Tools, Map<string, readonly string[]>>()

/** Stays stable, also when the user returns to the list. */
function reading(list: List, tools: Tools, ids: readonly string[]) {
  const all = readings.get(tools) ?? new Map<string, readonly string[]>()
  readings.set(tools, all)
  const name = `${tools.currentUser().me} ${list.key} ${list.from ?? 0}`
  const shown = all.get(name) ?? null
  const now = readOn(shown, ids, list.limit)
  const isShorter = shown !== null && now.ids.length < shown.length
  all.delete(name)
  all.set(name, isShorter && shown.some((id) => ids.includes(id)) ? shown : now.ids)
  for (const oldest of all.keys()) {
    if (all.size <= READINGS_MAX) break
    all.delete(oldest)
  }
  return now
}

function listNeed({ key, personal = false, freshMs, limit, fetch }: List): Need {
  return {
    key,
    personal,
    freshMs,
    isIncomplete: (known) => known.next !== null && known.ids.length < limit,
    async fetch(tools, { known, stale }) {
      const further = !stale && known !== null ? known.next : null
      const reply = await fetch(
        tools,
        further === null ? { etag: await etagOf(tools, known) } : { next: further },
        (body) => page(body, (row) => readListing(row, tools.now())),
      )
      return mapAnswer(reply, async ({ rows, next, count, countIsExact }) => {
        await upsertListings(tools, rows)
        const fetched = { ids: rows.map(({ id }) => id), next, count }
        const list = (further === null ? refreshed : lengthened)(known, fetched)
        return count === null ? list : { ...list, facts: countIsExact ? null : LOWER_BOUND }
      })
    },
  }
}

const LOWER_BOUND = { countIsExact: false }

/** An "unchanged" is of use only if the rows are still stored. */
async function etagOf({ store }: Tools, known: ListDocument | null) {
  if (known === null || known.etag === null) return null
  const first = known.ids.slice(0, PAGE_SIZE)
  return (await store.listings.findByIds(first).exec()).size === first.length ? known.etag : null
}

type ListPage = Pick<ListDocument, 'ids' | 'next' | 'count'>

/** Rows after the last known one stay. Without a known row the list is replaced. */
export function refreshed(known: ListDocument | null, first: ListPage) {
  const before = known?.ids ?? []
  const overlap = before.indexOf(first.ids.findLast((id) => before.includes(id)) ?? '')
  const behind =
    overlap < 0 || first.next === null
      ? []
      : before.slice(overlap + 1).filter((id) => !first.ids.includes(id))
  return {
    ids: [...first.ids, ...behind],
    next: behind.length > 0 ? (known?.next ?? null) : first.next,
    count: first.count,
  }
}

/** Without rows that moved down since the last page. */
export function lengthened(known: ListDocument | null, page: ListPage) {
  const ids = [...new Set([...(known?.ids ?? []), ...page.ids])]
  return { ids, next: page.next, ...(page.count !== null && { count: page.count }) }
}

/** Order stays, new rows above wait, rows below are appended. Without a shown row it starts anew. */
export function readOn(shown: readonly string[] | null, list: readonly string[], limit: number) {
  const last = shown?.findLast((id) => list.includes(id))
  if (shown === null || last === undefined) return { ids: list.slice(0, limit), waiting: 0 }
  const seen = new Set(shown)
  const end = list.indexOf(last)
  const below = list.slice(end + 1).filter((id) => !seen.has(id))
  return {
    ids: [...shown, ...below].slice(0, limit),
    waiting: list.slice(0, end).filter((id) => !seen.has(id)).length,
  }
}
