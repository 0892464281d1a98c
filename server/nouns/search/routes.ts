import * as wire from '#schema/wire/search'
import { readRoute, created, writeRoute, type LimitRow, type Route } from '../../route/index.ts'
import { listListings } from '../listing/read/list.ts'
import { viewOf } from '../listing/read/routes.ts'
import {
  queryOf,
  readParams,
  editSearch,
  markRun,
  readSearch,
  removeSearch,
  savedSearches,
  saveSearch,
} from './queries.ts'

const LIMIT: LimitRow = { name: 'saved-searches', user: [{ count: 60, seconds: 3600 }] }

export const searchRoutes: readonly Route[] = [
  readRoute(wire.listSearches, async ({ db, me, now }) => {
    const results = await savedSearches(db, me.id, now)
    return { count: results.length, results }
  }),

  writeRoute(
    wire.saveSearch,
    async ({ body, me, now }, tx) => {
      const { search, isNew } = await saveSearch(
        tx,
        me.id,
        { name: body.name, params: readParams(body.params, now), alerts: body.alerts ?? null },
        now,
      )
      return created(search, isNew)
    },
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

  writeRoute(wire.removeSearch, ({ me, params }, tx) => removeSearch(tx, me.id, params.id), {
    limit: LIMIT,
  }),

  /** [API 10.5, D79]: the first page resets the new count. */
  readRoute(wire.runSearch, async (input) => {
    const { db, head, me, now, params, query } = input
    const search = await readSearch(db, me.id, params.id, now)
    const { page, page_size: size, seek } = query
    const links = { page, page_size: size, seek }
    const request = {
      path: `saved-searches/${params.id}/run/`,
      query: { ...queryOf(search.params), ...(seek !== undefined && { seek }) },
      links,
      page,
      size,
    }
    const found = await listListings(db, request, viewOf(input))
    if ((page ?? 1) > 1 || head) return { ...found, saved_search: search }
    await markRun(db, me.id, params.id, now)
    return { ...found, saved_search: { ...search, new_count: 0, last_run_at: now.toISOString() } }
  }),
]
