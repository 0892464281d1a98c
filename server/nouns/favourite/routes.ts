import { DELTA_PAGE, DELTA_PAGE_MAX, FAVOURITES_MAX } from '#schema/limits'
import * as wire from '#schema/wire/favourite'
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
import { advance } from '../../live/sequence.ts'
import { isReadable } from '../listing/read/feed.ts'

const LIMIT: LimitRow = { name: 'favorites', user: [{ count: 120, seconds: 3600 }] }

export const favouriteRoutes: readonly Route[] = [
  writeRoute(
    wire.addFavourite,
    ({ body, me, now }, tx) => saveListing(tx, me.id, body.listing_id, now),
    { limit: LIMIT },
  ),

  writeRoute(
    wire.removeFavourite,
    ({ params, me, now }, tx) => unsave(tx, me.id, [params.id], now),
    {
      limit: LIMIT,
    },
  ),

  readRoute(wire.listFavourites, async (input) => {
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
      async (start, limit) => {
        const { rows } = await sql<SavedChange>`
          select listing_id, created_at, removed_at is not null as removed, change from favorite
          where user_id = ${me.id} and ${changedAfter(start, 'listing_id', 'change', 'changed_at')}
          order by change, listing_id limit ${limit}`.execute(db)
        return rows
      },
      ({ change, listing_id }) => ({ change, id: listing_id }),
    )
    return {
      next,
      results: shown.filter(({ removed }) => !removed).map(favouriteOf),
      removed: shown.filter(({ removed }) => removed).map((row) => row.listing_id),
      cursor,
    }
  }),
]

/** [API 10.2]; beyond 500 the oldest is dropped. Throws 404 for a listing out of sight. */
async function saveListing(tx: Tx, user: string, listing: string, now: Date) {
  if (!(await isReadable(tx, listing, user, now))) throw refuse('listing_not_found')
  // Its lock serializes the saves of one user.
  const change = await advance(tx, user)
  const { rows } = await sql<{ listing_id: string; created_at: Date }>`
    insert into favorite (user_id, listing_id, created_at, removed_at, change, changed_at)
    values (${user}, ${listing}, ${now}, null, ${change}, ${now})
    on conflict (user_id, listing_id) do update set created_at = excluded.created_at,
      removed_at = null, change = excluded.change, changed_at = excluded.changed_at
    where favorite.removed_at is not null
    returning listing_id, created_at`.execute(tx)
  const [made] = rows
  if (made === undefined) {
    const old = await tx
      .selectFrom('favorite')
      .select(['listing_id', 'created_at'])
      .where('user_id', '=', user)
      .where('listing_id', '=', listing)
      .executeTakeFirstOrThrow()
    return created(favouriteOf(old), false)
  }
  await countSaved(tx, [made], 1)
  const { rows: oldest } = await sql<{ listing_id: string }>`
    select listing_id from favorite where user_id = ${user} and removed_at is null
    order by created_at desc, listing_id desc offset ${FAVOURITES_MAX}`.execute(tx)
  const dropped = oldest.map((row) => row.listing_id)
  await unsave(tx, user, dropped, now)
  return created(favouriteOf(made), true)
}

async function unsave(tx: Tx, user: string, listings: readonly string[], now: Date) {
  if (listings.length === 0) return
  const change = await advance(tx, user)
  const { rows } = await sql<{ listing_id: string }>`
    update favorite set removed_at = ${now}, change = ${change}, changed_at = ${now}
    where user_id = ${user} and listing_id = any(${listings}::text[]) and removed_at is null
    returning listing_id`.execute(tx)
  await countSaved(tx, rows, -1)
}

async function countSaved(tx: Tx, rows: readonly { listing_id: string }[], by: 1 | -1) {
  const listings = rows.map((row) => row.listing_id)
  await sql`update listing_tally set favorites_count = favorites_count + ${by}::integer
    where listing_id = any(${listings}::text[])`.execute(tx)
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
  return { count, rows: rows.map(favouriteOf) }
}

type SavedChange = Pick<Row<'favorite'>, 'listing_id' | 'created_at' | 'change'> & {
  removed: boolean
}

const favouriteOf = (row: Pick<Row<'favorite'>, 'listing_id' | 'created_at'>): wire.Favourite => ({
  id: row.listing_id,
  listing_id: row.listing_id,
  created_at: row.created_at.toISOString(),
})
