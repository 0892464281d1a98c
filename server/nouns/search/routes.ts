import * as wire from '#schema/wire/search'
import {
  readRoute,
  writeRoute,
  type LimitRow,
  type Route,
  created,
  refuse,
  refuseFields,
  type FieldFault,
} from '../../route/index.ts'
import { listListings } from '../listing/read/list.ts'
import { viewOf } from '../listing/read/routes.ts'
import { sql } from 'kysely'
import { readFilter, type Query } from '#schema/filter'
import { pick } from '#schema/pick'
import { countOf } from '../../db/sql.ts'
import type { Db, Row, Tx } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { askedOf } from '../listing/search/queries.ts'
import { everyCondition, visible } from '../listing/search/where.ts'
import { lockPerson } from '../shop/person.ts'
import { isMembers } from '#schema/members'
import { SEARCH_MAX } from '#schema/limits'
import { browseListings } from '#schema/wire/listing'

const LIMIT: LimitRow = { name: 'saved-searches', user: [{ count: 60, seconds: 3600 }] }

export const searchRoutes: readonly Route[] = [
  readRoute(wire.listSearches, async ({ db, me, now }) => {
    const rows = await db
      .selectFrom('saved_search')
      .selectAll()
      .where('user_id', '=', me.id)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    const results = await Promise.all(rows.map((row) => searchOf(db, row, now)))
    return { count: rows.length, results }
  }),

  writeRoute(
    wire.saveSearch,
    async ({ body: { name, params, alerts = null }, me, now }, tx) =>
      saveSearch(tx, me.id, { name, params: readParams(params, now), alerts }, now),
    { limit: LIMIT },
  ),

  writeRoute(
    wire.editSearch,
    async ({ body, me, now, params }, tx) => {
      await editSearch(tx, me.id, params.id, body)
      return readSearch(tx, me.id, params.id, now)
    },
    { limit: LIMIT },
  ),

  writeRoute(
    wire.removeSearch,
    async ({ me, params: { id } }, tx) => {
      await tx
        .deleteFrom('saved_search')
        .where((is) => is.and({ id, user_id: me.id }))
        .execute()
    },
    { limit: LIMIT },
  ),

  /** [API 10.5, D79]: the first page resets the new count. */
  readRoute(wire.runSearch, async (input) => {
    const { db, head, me, now, params, query } = input
    const search = await readSearch(db, me.id, params.id, now)
    const { page, page_size: size, seek } = query
    const request = {
      path: `saved-searches/${params.id}/run/`,
      query: { ...queryOf(search.params), seek },
      links: { page, page_size: size, seek },
      page,
      size,
    }
    const found = await listListings(db, request, viewOf(input))
    if ((page ?? 1) > 1 || head) return { ...found, saved_search: search }
    await db
      .updateTable('saved_search')
      .set({ last_run_at: now })
      .where('id', '=', params.id)
      .execute()
    return { ...found, saved_search: { ...search, new_count: 0, last_run_at: now.toISOString() } }
  }),
]

type Saved = Row<'saved_search'>
type Alerts = Saved['alerts']

const SEARCHES_MAX = 20
const NEW_MAX = 99

/** The same parameters again only rename it [API 10.5]. Throws 409 above 20. */
async function saveSearch(
  tx: Tx,
  me: string,
  search: { name: string; params: Params; alerts: Alerts | null },
  now: Date,
) {
  // Two saves cannot both be the twentieth.
  await lockPerson(tx, me)
  const params_key = keyOf(search.params)
  const mine = await tx
    .selectFrom('saved_search')
    .select(['id', 'params_key'])
    .where('user_id', '=', me)
    .execute()
  const known = mine.find((row) => row.params_key === params_key)
  if (known === undefined && mine.length >= SEARCHES_MAX) throw refuse('saved_search_limit')
  const id = known?.id ?? newId(now.getTime())
  if (known !== undefined) await editSearch(tx, me, id, search)
  else
    await tx
      .insertInto('saved_search')
      .values({
        id,
        user_id: me,
        name: search.name,
        params: JSON.stringify(search.params),
        params_key,
        alerts: search.alerts ?? 'daily',
        created_at: now,
      })
      .execute()
  return created(await readSearch(tx, me, id, now), known === undefined)
}

async function editSearch(
  tx: Tx,
  me: string,
  id: string,
  { name, alerts }: { name?: string | undefined; alerts?: Alerts | null | undefined },
) {
  await rowOf(tx, me, id)
  if (name === undefined && !alerts) return
  const set = { name, alerts: alerts ?? undefined }
  await tx.updateTable('saved_search').set(set).where('id', '=', id).execute()
}

const readSearch = async (db: Db, me: string, id: string, now: Date) =>
  searchOf(db, await rowOf(db, me, id), now)

const rowOf = (db: Db, me: string, id: string) =>
  db
    .selectFrom('saved_search')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', me)
    .executeTakeFirstOrThrow(() => refuse('not_found'))

async function searchOf(db: Db, row: Saved, now: Date) {
  return {
    ...pick(row, ['id', 'name', 'params', 'alerts']),
    new_count: await countNew(db, row.params, row.last_run_at ?? row.created_at, now),
    created_at: row.created_at.toISOString(),
    last_run_at: row.last_run_at?.toISOString() ?? null,
  }
}

export async function countNew(db: Db, params: Params, since: Date, now: Date) {
  const { filter } = readFilter(queryOf(params), now.getUTCFullYear())
  const asked = await askedOf(db, filter, null)
  if (asked === null) return 0
  return countOf(
    db,
    sql`(select from listing l where ${visible(now)} and l.posted_at > ${since}
      and ${everyCondition(asked, now)} limit ${NEW_MAX}) as fresh`,
  )
}

type Params = Record<string, string | number | boolean>

const LONGEST = 2000
const NOT_KEPT = new Set(['page', 'page_size', 'seek', 'ids', 'changed_since'])
const NAMES = new Set(
  Object.keys(browseListings.query.entries).filter((name) => !NOT_KEPT.has(name)),
)

/**
 * From an object or a query string [API 10.5]. Throws 400 on `params.<name>` for each invalid one.
 */
function readParams(given: unknown, now: Date): Params {
  const raw =
    typeof given === 'string'
      ? Object.fromEntries(new URLSearchParams(given))
      : isMembers(given)
        ? given
        : {}
  const params: Params = {}
  const faults: Record<string, FieldFault[]> = {}
  for (const [name, value] of Object.entries(raw)) {
    if (
      !(NAMES.has(name) || name.startsWith('spec.')) ||
      value === null ||
      value === '' ||
      (name === 'seller' && value === 'me')
    )
      continue
    if (typeof value === 'string' && (name === 'search' || name === 'q'))
      params[name] = Array.from(value).slice(0, SEARCH_MAX).join('')
    else if (
      (typeof value === 'string' && value.length <= LONGEST) ||
      typeof value === 'number' ||
      typeof value === 'boolean'
    )
      params[name] = value
    else faults[`params.${name}`] = [{ code: 'invalid' }]
  }
  for (const { field, code } of readFilter(queryOf(params), now.getUTCFullYear()).problems)
    faults[`params.${field}`] = [{ code }]
  if (Object.keys(faults).length > 0) throw refuseFields(faults)
  return params
}

const queryOf = (params: Params): Query =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

/** Independent of the order and types of the parameters. */
const keyOf = (params: Params) =>
  JSON.stringify(Object.entries(queryOf(params)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
