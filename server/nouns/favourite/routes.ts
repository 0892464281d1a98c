import { DELTA_PAGE, DELTA_PAGE_MAX } from '#schema/limits'
import { addFavourite, listFavourites, removeFavourite } from '#schema/wire/favourite'
import {
  paged,
  readRoute,
  created,
  writeRoute,
  type LimitRow,
  type Route,
} from '../../route/index.ts'
import { deltasOf } from '../../live/delta.ts'
import { favouriteOf, savedChanges, savedListings, saveListing, unsaveListing } from './queries.ts'

const LIMIT: LimitRow = { name: 'favorites', user: [{ count: 120, seconds: 3600 }] }

export const favouriteRoutes: readonly Route[] = [
  writeRoute(
    addFavourite,
    async ({ body, me, now }, tx) => {
      const { favourite, isNew } = await saveListing(tx, me.id, body.listing_id, now)
      return created(favourite, isNew)
    },
    { limit: LIMIT },
  ),

  writeRoute(
    removeFavourite,
    ({ params, me, now }, tx) => unsaveListing(tx, me.id, params.id, now),
    { limit: LIMIT },
  ),

  readRoute(listFavourites, async (input) => {
    const { db, query, me, now } = input
    const deltas = await deltasOf(db, 'favorites', me.id, now)
    if (query.changed_since === undefined) {
      const list = await paged(input, DELTA_PAGE, DELTA_PAGE_MAX, (page) =>
        savedListings(db, me.id, page),
      )
      return { ...list, cursor: deltas.cursor }
    }
    const { shown, next, cursor } = await deltas.page(
      input,
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
  }),
]
