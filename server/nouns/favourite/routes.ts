import { DELTA_PAGE, DELTA_PAGE_MAX } from '#schema/limits'
import { addFavourite, listFavourites, removeFavourite } from '#schema/wire/favourite'
import {
  linksOf,
  pageOf,
  readRoute,
  created,
  writeRoute,
  type LimitRow,
  type Route,
} from '../../route/index.ts'
import { deltasOf } from '../../live/delta.ts'
import { favouriteOf, savedChanges, savedListings, saveListing, unsaveListing } from './queries.ts'

const LIMIT: LimitRow = { name: 'favorites', user: [{ count: 120, seconds: 3600 }] }

const add = writeRoute(
  addFavourite,
  async ({ body, me, now }, tx) => {
    const { favourite, isNew } = await saveListing(tx, me.id, body.listing_id, now)
    return created(favourite, isNew)
  },
  { limit: LIMIT },
)

const remove = writeRoute(
  removeFavourite,
  ({ params, me, now }, tx) => unsaveListing(tx, me.id, params.id, now),
  { limit: LIMIT },
)

const list = readRoute(listFavourites, async ({ db, query, me, now }) => {
  const deltas = await deltasOf(db, 'favorites', me.id, now)
  if (query.changed_since === undefined) {
    const page = pageOf(query, DELTA_PAGE, DELTA_PAGE_MAX)
    const { count, rows } = await savedListings(db, me.id, page)
    const { cursor } = deltas
    return { ...linksOf('favorites/', query, page, count), results: rows, cursor }
  }
  const { shown, next, cursor } = await deltas.page(
    'favorites/',
    query,
    'changed_since',
    (start, limit) => savedChanges(db, me.id, start, limit),
    ({ change, listing_id }) => ({ change, id: listing_id }),
  )
  return {
    next,
    results: shown
      .filter(({ removed }) => !removed)
      .map((row) => favouriteOf(row.listing_id, row.created_at)),
    removed: shown.filter(({ removed }) => removed).map((row) => row.listing_id),
    cursor,
  }
})

export const favouriteRoutes: readonly Route[] = [add, remove, list]
