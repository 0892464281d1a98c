import {
  combineLatest,
  distinctUntilChanged,
  from,
  map,
  of,
  switchMap,
  type Observable,
} from 'rxjs'
import type { ListDocument, ListingDocument } from '#schema/disk/documents'
import type { Query } from '#schema/filter'
import { PAGE_SIZE } from '#schema/limits'
import type { ListFacts } from '#schema/port/question'
import type { Need, CallResult, Tools } from '../../noun.ts'
import { page, type Page } from '../tolerant.ts'
import { upsertListings } from './upsert.ts'
import { lengthened, readOn, refreshed } from './listMerge.ts'
import { readListing } from './read.ts'

/** A list of listings in the server's order. */
export interface ListQuery {
  readonly key: string
  readonly personal: boolean
  readonly limit: number
  /** Identifies a reading, within which the order is stable (question.ts). */
  readonly from?: number | undefined
  /**
   * Query over local listings, used before the server answered and after the covered rows. null:
   * none.
   */
  readonly phone: Observable<Query | null>
}

export interface Listings {
  readonly rows: readonly ListingDocument[]
  readonly facts: ListFacts
  readonly empty?: boolean
}

export const FRESH_MS = 60_000

/** Canonical key of filters: sorted, without empty values and paging. */
export function keyOf(filters: Query): string {
  const given = Object.entries(filters).filter(
    ([name, value]) => (value ?? '').trim() !== '' && name !== 'page' && name !== 'page_size',
  )
  return given
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

/**
 * Covered rows equal the server's. Before the first answer, and offline after the covered rows,
 * local matches are shown.
 */
export function watchList(wish: ListQuery, tools: Tools): Observable<Listings> {
  const offline = tools.network.pipe(
    map(({ network }) => network === 'offline' || network === 'captive'),
    distinctUntilChanged(),
  )
  const book = tools.store.observeOne(wish.personal ? 'ownLists' : 'lists', wish.key)
  return combineLatest([book, offline]).pipe(
    switchMap(([known, cut]) =>
      known === null || known.at === 0 || known.problem !== null
        ? onPhone(wish, tools, known)
        : covered(wish, tools, known, cut),
    ),
  )
}

function onPhone(wish: ListQuery, tools: Tools, known: ListDocument | null): Observable<Listings> {
  return ownMatches(wish, tools).pipe(
    switchMap((ids) =>
      tools.store.observeMany('listings', ids.slice(0, wish.limit)).pipe(
        map((rows) => ({
          rows,
          facts: {
            count: ids.length,
            coverage: 'phone' as const,
            covered: 0,
            more: ids.length > wish.limit,
            waiting: 0,
            problem: known?.problem ?? null,
          },
          empty: rows.length === 0,
        })),
      ),
    ),
  )
}

function covered(
  wish: ListQuery,
  tools: Tools,
  book: ListDocument,
  offline: boolean,
): Observable<Listings> {
  const { ids, waiting } = reading(wish, tools, book.ids)
  const known = ids.length + waiting < book.ids.length
  const cutShort = offline && book.next !== null && !known && ids.length < wish.limit
  const named = new Set(cutShort ? book.ids : [])
  const behind = cutShort
    ? ownMatches(wish, tools).pipe(map((own) => own.filter((id) => !named.has(id))))
    : of([])
  return behind.pipe(
    switchMap((own) =>
      tools.store.observeMany('listings', [...ids, ...own].slice(0, wish.limit)).pipe(
        map((rows) => ({
          rows,
          facts: {
            count: book.count,
            coverage: own.length > 0 ? ('partial' as const) : ('covered' as const),
            covered: ids.length,
            more: known || ids.length + own.length > wish.limit || (book.next !== null && !offline),
            waiting,
            problem: null,
          },
          empty: false,
        })),
      ),
    ),
  )
}

/**
 * Search is imported only when there are local listings, because it includes the built-in
 * categories and places.
 */
function ownMatches({ phone }: ListQuery, { store, now }: Tools): Observable<readonly string[]> {
  return phone.pipe(
    switchMap((query) =>
      query === null
        ? of([])
        : store.observe('listings', { index: ['newest'], limit: 1 }).pipe(
            map(([any]) => any !== undefined),
            distinctUntilChanged(),
            switchMap((holds) =>
              holds
                ? from(import('./search.ts')).pipe(
                    switchMap(({ localMatches: phoneMatches }) =>
                      phoneMatches(store, query, now()),
                    ),
                  )
                : of([]),
            ),
          ),
    ),
  )
}

const READINGS_MAX = 40
const readings = new WeakMap<Tools, Map<string, readonly string[]>>()

/** The shown order stays stable, also when the user returns to the list. */
function reading(wish: ListQuery, tools: Tools, list: readonly string[]) {
  const all = readings.get(tools) ?? new Map<string, readonly string[]>()
  readings.set(tools, all)
  const name = `${tools.currentUser().me} ${wish.key} ${wish.from ?? 0}`
  const shown = all.get(name) ?? null
  const now = readOn(shown, list, wish.limit)
  all.delete(name)
  all.set(
    name,
    shown !== null && now.ids.length < shown.length && shown.some((id) => list.includes(id))
      ? shown
      : now.ids,
  )
  for (const oldest of all.keys()) {
    if (all.size <= READINGS_MAX) break
    all.delete(oldest)
  }
  return now
}

/**
 * Fetches the first page with its ETag when it is stale, or the next page when a reader wants more
 * rows.
 */
export function listNeed(
  { key, personal, limit }: Pick<ListQuery, 'key' | 'personal' | 'limit'>,
  freshMs: number,
  ask: (
    tools: Tools,
    how: { readonly etag: string | null } | { readonly next: string },
    read: (body: unknown) => Page<ListingDocument> | null,
  ) => Promise<CallResult<Page<ListingDocument>>>,
): Need {
  return {
    key,
    personal,
    freshMs,
    isIncomplete: (known) => known.next !== null && known.ids.length < limit,
    async fetch(tools, { known, stale }) {
      const further = !stale && known !== null ? known.next : null
      const read = (body: unknown) => page(body, (row) => readListing(row, tools.now()))
      const reply = await ask(
        tools,
        further === null ? { etag: await etagOf(tools, known) } : { next: further },
        read,
      )
      if (reply.kind !== 'done') return reply
      await upsertListings(tools, reply.answer.rows)
      const leaf = {
        ids: reply.answer.rows.map(({ id }) => id),
        next: reply.answer.next,
        count: reply.answer.count,
      }
      return {
        ...reply,
        answer:
          further === null || known === null ? refreshed(known, leaf) : lengthened(known, leaf),
      }
    },
  }
}

/** "Unchanged" is only useful if the rows are still stored. */
async function etagOf({ store }: Tools, known: ListDocument | null): Promise<string | null> {
  if (known === null || known.etag === null) return null
  const first = known.ids.slice(0, PAGE_SIZE)
  return (await store.many('listings', first)).length === first.length ? known.etag : null
}
