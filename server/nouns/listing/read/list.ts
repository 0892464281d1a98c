import { sql } from 'kysely'
import type { Query } from '#schema/filter'
import {
  DELTA_PAGE,
  DELTA_PAGE_MAX,
  IDS_SIZE,
  PAGE_SIZE,
  PAGE_SIZE_MAX,
  SUGGESTIONS,
} from '#schema/limits'
import type { ListingPage } from '#schema/wire/listing'
import type { Db } from '../../../db/tables.ts'
import { linkTo, linksOf, pageOf, refuse, refuseField } from '../../../route/index.ts'
import { AnswerCache } from '../../../answer-cache.ts'
import { plannedOnce } from '../../../db/postgres.ts'
import {
  type Asked,
  askedOf,
  filterOf,
  inScope,
  momentColumns,
  momentOf,
} from '../search/queries.ts'
import { type Count, counted, type Found, type PageRequest } from '../search/find.ts'
import { sqlSearch } from '../search/listingSearch.ts'
import { cardsById, cardsOf, inThisOrder, type View } from '../card.ts'
import { changesOf, cursorAt, cursorNow, mayRead } from './feed.ts'
import { sortOrderOf, readPlace, writePlace } from '../search/sort.ts'

type ListRequest = Readonly<{
  path: string
  query: Query
  /** Parameters of the links when they differ from the query. */
  links?: Readonly<Record<string, unknown>>
  page: number | undefined
  size: number | undefined
}>

/** [API 8.2] */
export async function listListings(db: Db, request: ListRequest, view: View): Promise<ListingPage> {
  const ids = request.query['ids'] === undefined ? null : idsOf(request.query['ids'])
  const filter = filterOf(ids === null ? request.query : {}, view.now)
  const asked = await askedOf(db, filter, view.me)
  const since = sinceOf(request)
  if (asked === null) return nothing(db, view, since)
  if (since !== null) return listChanges(db, request, asked, ids, since, view)
  if (ids !== null) return listByIds(db, request, ids, view)
  if (filter.searchTooShort && (request.size ?? PAGE_SIZE) <= SUGGESTIONS)
    return nothing(db, view, null)
  return listPage(db, request, asked, view)
}

export async function listScoped(
  db: Db,
  request: ListRequest,
  whose: Pick<Asked, 'sellerId' | 'scope'>,
  view: View,
): Promise<ListingPage> {
  const asked: Asked = { filter: filterOf(request.query, view.now), me: view.me, ...whose }
  const since = sinceOf(request)
  return since === null
    ? listPage(db, request, asked, view)
    : listChanges(db, request, asked, null, since, view)
}

async function listPage(
  db: Db,
  { path, query, links = query, page: number, size }: ListRequest,
  asked: Asked,
  view: View,
) {
  const page = pageOf({ page: number, page_size: size }, PAGE_SIZE, PAGE_SIZE_MAX)
  if (page.offset + page.size > ROWS_MAX) throw refuse('invalid_page')
  const order = sortOrderOf(asked.filter, asked.scope === 'own')
  const request: PageRequest = {
    order,
    page,
    from: page.number > 1 ? readPlace(order, query['seek']) : null,
  }
  const { cards, found } = await readPage(db, asked, request, view)
  if (cards.length === 0 && page.number > 1 && request.from === null) throw refuse('invalid_page')
  const hasNext = found.more && page.offset + 2 * page.size <= ROWS_MAX
  const { seek: _, ...rest } = links
  const at = (to: number, seek?: string) => linkTo(path, { ...rest, page: to, seek })
  return {
    count: found.count.count,
    ...(!found.count.exact && { count_is_exact: false }),
    next: hasNext
      ? at(page.number + 1, found.place === null ? undefined : writePlace(order, found.place))
      : null,
    previous: page.number > 1 ? at(page.number - 1) : null,
    results: cards,
    cursor: await cursorAt(db, found.moment.position, view.now),
  }
}

/** Pages reach no further [API 1.3]. */
const ROWS_MAX = 10_000
/** While no listing changes; the clock alone ends some. */
const KEPT_MS = 5000
const pages = new AnswerCache<Db, Found & { count: Count }>(KEPT_MS, 1000)

async function readPage(db: Db, asked: Asked, request: PageRequest, view: View) {
  const { scope, sellerId, filter } = asked
  const key = JSON.stringify([scope, sellerId, filter, request.page, request.from])
  const known = pages.get(db, key, view.now)
  if (known !== undefined) {
    const { cards, commit } = await cardsIn(db, asked, known.ids, view)
    if (commit === known.moment.commit) return { cards, found: known }
  }
  const page = await sqlSearch(db).page(asked, request, view.now)
  const found = { ...page, count: await countOf(db, asked, request, page, view.now) }
  pages.set(db, key, found, view.now)
  return { cards: (await cardsIn(db, asked, found.ids, view)).cards, found }
}

async function countOf(db: Db, asked: Asked, request: PageRequest, found: Found, now: Date) {
  const before = request.from === null ? request.page.offset : null
  if (!found.more && before !== null && (before === 0 || found.ids.length > 0))
    return counted(before + found.ids.length)
  return found.count ?? sqlSearch(db).count(asked, now)
}

/** `commit` tells whether a listing has changed since the ids were found. */
async function cardsIn(db: Db, asked: Asked, ids: readonly string[], view: View) {
  const keys = inThisOrder(ids, inScope(asked, view.now))
  const found = await cardsOf(db, keys, view, momentColumns, plannedOnce)
  return {
    cards: found.map(({ card }) => card),
    commit: found[0]?.row.commit ?? (await momentOf(db)).commit,
  }
}

async function listChanges(
  db: Db,
  { path, query, size }: ListRequest,
  asked: Asked,
  ids: readonly string[] | null,
  since: string,
  view: View,
) {
  const most = Math.min(size ?? DELTA_PAGE, DELTA_PAGE_MAX)
  const changes = await changesOf(db, asked, ids, since, most, view.now)
  const hidden = ids === null ? changes.removed : await unreadable(db, ids, view)
  return {
    next: changes.more ? linkTo(path, { ...query, changed_since: changes.cursor }) : null,
    results: await cardsById(db, changes.shown, view),
    cursor: changes.cursor,
    removed: [...hidden],
  }
}

async function listByIds(
  db: Db,
  { path, query, page: number, size }: ListRequest,
  ids: readonly string[],
  view: View,
) {
  const page = pageOf({ page: number, page_size: size }, IDS_SIZE, PAGE_SIZE_MAX)
  const readable = inThisOrder(ids, mayRead(view.me, view.now))
  const cards = (await cardsOf(db, readable, view)).map(({ card }) => card)
  return {
    count: cards.length,
    ...linksOf({ path, query }, page, cards.length),
    results: cards.slice(page.offset, page.offset + page.size),
    cursor: await cursorNow(db, view.now),
    missing: without(ids, cards),
  }
}

async function unreadable(db: Db, ids: readonly string[], { me, now }: View) {
  const { rows } = await sql<{
    id: string
  }>`select l.id from listing l where l.id = any(${ids}::text[]) and ${mayRead(me, now)}`.execute(
    db,
  )
  return without(ids, rows)
}

function without(ids: readonly string[], seen: readonly { id: string }[]) {
  const known = new Set(seen.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

async function nothing(db: Db, { now }: View, since: string | null) {
  const cursor = await cursorNow(db, now)
  return since === null
    ? { count: 0, next: null, previous: null, results: [], cursor }
    : { next: null, results: [], cursor, removed: [] }
}

const sinceOf = ({ query }: ListRequest) => query['changed_since'] || null

function idsOf(text: string) {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => id !== '')
  if (ids.length > IDS_SIZE) throw refuseField('ids', 'too_many_ids', { max: IDS_SIZE })
  return ids
}
