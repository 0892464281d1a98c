import { DELTA_PAGE, DELTA_PAGE_MAX, FAVOURITES_MAX } from '#schema/limits'
import {
  addFavourite,
  listFavourites,
  removeFavourite,
  type Favourite,
} from '#schema/wire/favourite'
import {
  paged,
  readRoute,
  created,
  writeRoute,
  type LimitRow,
  type Route,
  refuse,
  type Page,
} from '../../route/index.ts'
import { deltasOf, changedAfter } from '../../live/delta.ts'
import { sql } from 'kysely'
import type { Db, Row, Tx } from '../../db/tables.ts'
import type { Start } from '../../live/cursor.ts'
import { advance } from '../../live/sequence.ts'
import { isReadable } from '../listing/read/feed.ts'

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

/**
 * Saves a listing [API 10.2]; beyond 500 the oldest is dropped. Throws 404 when the user may not
 * see it.
 */
async function saveListing(tx: Tx, user: string, listing: string, now: Date) {
  if (!(await isReadable(tx, listing, user, now))) throw refuse('listing_not_found')
  // The lock of the event_sequence serializes the saves of one user.
  const next = await advance(tx, [user])
  const { rows } = await sql<{ created_at: Date }>`
    insert into favorite (user_id, listing_id, created_at, removed_at, change, changed_at)
    values (${user}, ${listing}, ${now}, null, ${next(user)}, ${now})
    on conflict (user_id, listing_id) do update set created_at = excluded.created_at,
      removed_at = null, change = excluded.change, changed_at = excluded.changed_at
    where favorite.removed_at is not null
    returning created_at`.execute(tx)
  const made = rows[0]
  if (made === undefined) {
    const old = await tx
      .selectFrom('favorite')
      .select('created_at')
      .where('user_id', '=', user)
      .where('listing_id', '=', listing)
      .executeTakeFirstOrThrow()
    return { favourite: favouriteOf(listing, old.created_at), isNew: false }
  }
  await countSaved(tx, [listing], 1)
  await dropOldest(tx, user, now)
  return { favourite: favouriteOf(listing, made.created_at), isNew: true }
}

async function unsaveListing(tx: Tx, user: string, listing: string, now: Date): Promise<void> {
  await remove(tx, user, [listing], now)
}

async function dropOldest(tx: Tx, user: string, now: Date): Promise<void> {
  const { rows } = await sql<{ listing_id: string }>`
    select listing_id from favorite where user_id = ${user} and removed_at is null
    order by created_at desc, listing_id desc offset ${FAVOURITES_MAX}`.execute(tx)
  await remove(
    tx,
    user,
    rows.map((row) => row.listing_id),
    now,
  )
}

async function remove(tx: Tx, user: string, listings: readonly string[], now: Date): Promise<void> {
  if (listings.length === 0) return
  const next = await advance(tx, [user])
  const { rows } = await sql<{ listing_id: string }>`
    update favorite set removed_at = ${now}, change = ${next(user)}, changed_at = ${now}
    where user_id = ${user} and listing_id = any(${[...listings]}::text[]) and removed_at is null
    returning listing_id`.execute(tx)
  await countSaved(
    tx,
    rows.map((row) => row.listing_id),
    -1,
  )
}

async function countSaved(tx: Tx, listings: readonly string[], by: 1 | -1): Promise<void> {
  await sql`update listing_tally set favorites_count = favorites_count + ${by}::integer
    where listing_id = any(${[...listings]}::text[])`.execute(tx)
}

async function savedListings(db: Db, user: string, page: Page) {
  const mine = db.selectFrom('favorite').where('user_id', '=', user).where('removed_at', 'is', null)
  const { count } = await mine
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await mine
    .select(['listing_id', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('listing_id', 'desc')
    .limit(page.size)
    .offset(page.offset)
    .execute()
  return { count, rows: rows.map((row) => favouriteOf(row.listing_id, row.created_at)) }
}

type SavedChange = Pick<Row<'favorite'>, 'listing_id' | 'created_at' | 'change'> & {
  removed: boolean
}

async function savedChanges(
  db: Db,
  user: string,
  start: Start,
  limit: number,
): Promise<SavedChange[]> {
  const { rows } = await sql<SavedChange>`
    select listing_id, created_at, removed_at is not null as removed, change from favorite
    where user_id = ${user} and ${changedAfter(start, 'listing_id', 'change', 'changed_at')}
    order by change, listing_id limit ${limit}`.execute(db)
  return rows
}

const favouriteOf = (listing: string, createdAt: Date): Favourite => ({
  id: listing,
  listing_id: listing,
  created_at: createdAt.toISOString(),
})
