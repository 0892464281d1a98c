import * as wire from '#schema/wire/search'
import { readRoute, writeRoute, type LimitRow, type Route } from '../../route/index.ts'
import { listListings } from '../listing/read/list.ts'
import { viewOf } from '../listing/read/routes.ts'
import {
  queryOf,
  readParams,
  editSearch,
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

  writeRoute(wire.removeSearch, ({ me, params }, tx) => removeSearch(tx, me.id, params.id), {
    limit: LIMIT,
  }),

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
