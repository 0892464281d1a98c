import { DELTA_PAGE, DELTA_PAGE_MAX } from '#schema/limits'
import { addFavourite, listFavourites, removeFavourite } from '#schema/wire/favourite'
import { readRoute, writeRoute, type Route } from '../../route/handle.ts'
import type { LimitRow } from '../../route/limits.ts'
import { linksOf, linkTo, pageOf } from '../../route/pages.ts'
import { refuse } from '../../route/refusal.ts'
import { reply } from '../../route/reply.ts'
import { behind, readCursor, writeCursor } from '../../live/cursor.ts'
import { sequenceOf } from '../../live/sequence.ts'
import { favouriteOf, savedChanges, savedListings, saveListing, unsaveListing } from './queries.ts'

const LIMIT: LimitRow = { name: 'favorites', user: [{ count: 120, seconds: 3600 }] }

const add = writeRoute(
  addFavourite,
  async ({ body, me, now }, tx) => {
    const { favourite, isNew } = await saveListing(tx, me.id, body.listing_id, now)
    return reply(favourite, { status: isNew ? 201 : 200 })
  },
  { limit: LIMIT },
)

const remove = writeRoute(
  removeFavourite,
  ({ params, me, now }, tx) => unsaveListing(tx, me.id, params.id, now),
  { limit: LIMIT },
)

const list = readRoute(listFavourites, async ({ db, query, me, now }) => {
  const log = await sequenceOf(db, me.id)
  const scope = { list: 'favorites' as const, user: me.id, epoch: log.epoch }
  if (query.changed_since === undefined) {
    const page = pageOf(query, DELTA_PAGE, DELTA_PAGE_MAX)
    const { count, rows } = await savedListings(db, me.id, page)
    return {
      ...linksOf('favorites/', query, page, count),
      results: rows,
      cursor: writeCursor(scope, behind(log.last), now),
    }
  }
  const start = readCursor(query.changed_since, scope, now)
  if (start === null || ('after' in start && start.after.change > log.last))
    throw refuse('cursor_expired')
  const size = Math.min(query.page_size ?? DELTA_PAGE, DELTA_PAGE_MAX)
  const found = await savedChanges(db, me.id, start, size + 1)
  const shown = found.slice(0, size)
  const last = shown.at(-1)
  const place =
    last === undefined
      ? 'after' in start
        ? start.after
        : behind(log.last)
      : { change: last.change, id: last.listing_id }
  const cursor = writeCursor(scope, place, now)
  return {
    next: found.length > size ? linkTo('favorites/', { ...query, changed_since: cursor }) : null,
    results: shown
      .filter(({ removed }) => !removed)
      .map((row) => favouriteOf(row.listing_id, row.created_at)),
    removed: shown.filter(({ removed }) => removed).map((row) => row.listing_id),
    cursor,
  }
})

export const favouriteRoutes: readonly Route[] = [add, remove, list]
