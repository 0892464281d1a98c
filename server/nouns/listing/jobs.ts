import { sql } from 'kysely'
import type { Tx } from '../../db/tables.ts'
import { doubt } from '../../files/orphanCheck.ts'
import { inBatches, sweepRows, untilDone } from '../../jobs/batches.ts'
import type { Job, JobContext } from '../../jobs/run.ts'
import { addCounts, fillCounts } from './search/kept.ts'
import { changeListing, holdListings, NOT_FEATURED, tellSeller, type Held } from './change.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const BATCH = 100
const WARNED_MS = 3 * DAY
/** [API 5.2, API 6.3] */
const SOLD_MS = 30 * DAY
const FILES_MS = 7 * DAY

export const expireJob: Job = {
  name: 'expire',
  everyMs: MINUTE,
  run: async (services) =>
    (await inBatches(services, expire, BATCH)) + (await inBatches(services, warn, BATCH)),
}

export const unfeatureJob: Job = {
  name: 'unfeature',
  everyMs: MINUTE,
  run: (services) => inBatches(services, unfeature, BATCH),
}

export const archiveSoldJob: Job = {
  name: 'archive-sold',
  everyMs: 60 * MINUTE,
  run: (services) => inBatches(services, archiveSold, BATCH),
}

export const countsJob: Job = {
  name: 'listing-counts',
  everyMs: 10_000,
  run: async (context) => (await fillCounts(context)) + (await addCounts(context)),
}

/** Oldest `moment` first, by the column's index: the cost does not grow with all listings. */
async function each(
  tx: Tx,
  moment: 'expires_at' | 'featured_until' | 'sold_at',
  due: ReturnType<typeof sql>,
  act: (held: Held) => Promise<void>,
) {
  const held = await holdListings(
    tx,
    sql`${due} order by ${sql.ref(moment)} limit ${BATCH} for update skip locked`,
  )
  for (const listing of held) await act(listing)
  return held.length
}

const expire = (tx: Tx, now: Date) =>
  each(tx, 'expires_at', sql`listed and expires_at <= ${now}`, async (held) => {
    const change = { lapsed: true, expiry_told_at: now }
    await changeListing(tx, held, change, { actor: 'server', action: 'expired' }, now)
    tellSeller(tx, held, { event: 'listing.expiring', days_left: 0 }, now)
  })

const warn = (tx: Tx, now: Date) =>
  each(
    tx,
    'expires_at',
    sql`listed and expires_at > ${now} and expires_at <= ${new Date(now.getTime() + WARNED_MS)}
      and expiry_told_at is null`,
    async (held) => {
      await tx
        .updateTable('listing')
        .set({ expiry_told_at: now })
        .where('id', '=', held.id)
        .execute()
      tellSeller(tx, held, { event: 'listing.expiring', days_left: 3 }, now)
    },
  )

const unfeature = (tx: Tx, now: Date) =>
  each(tx, 'featured_until', sql`is_featured and featured_until <= ${now}`, (held) =>
    changeListing(tx, held, NOT_FEATURED, { actor: 'server', action: 'unfeatured' }, now),
  )

const archiveSold = (tx: Tx, now: Date) =>
  each(
    tx,
    'sold_at',
    sql`is_sold and not is_archived and deleted_at is null and sold_at <= ${new Date(now.getTime() - SOLD_MS)}`,
    (held) =>
      changeListing(tx, held, { is_archived: true }, { actor: 'server', action: 'archived' }, now),
  )

export const forgetJob: Job = {
  name: 'forget',
  everyMs: 60 * MINUTE,
  async run(services) {
    const old = sql`at < ${new Date(services.clock().getTime() - 31 * DAY)}`
    let done = 0
    for (const table of ['listing_view', 'listing_contact', 'search_signal'] as const)
      done += await sweepRows(services.database.db, table, old)
    return done + (await forgetPhotos(services))
  },
}

/** First the rows, then the files that no other row references. */
async function forgetPhotos({ database, clock }: JobContext) {
  const now = clock()
  const remove = (wanted: ReturnType<typeof sql>) =>
    untilDone(async (limit) => {
      const result =
        await sql`update picture set removed_at = ${now} where id = any(array(${wanted} limit ${limit}))`.execute(
          database.db,
        )
      return Number(result.numAffectedRows ?? 0)
    })
  await remove(sql`select id from picture where removed_at is null and expires_at <= ${now}`)
  await remove(
    sql`select p.id from picture p join listing l on l.id = p.listing_id
      where l.deleted_at is not null and p.removed_at is null`,
  )
  return untilDone(
    (limit) =>
      database.tx(async (tx) => {
        const { rows } = await sql<{ hash: string }>`
        delete from picture where id in (
          select id from picture where removed_at <= ${new Date(now.getTime() - FILES_MS)}
            limit ${limit} for update skip locked) returning hash`.execute(tx)
        const folders = rows.map(({ hash }) => `images/${hash}`)
        await doubt(tx, folders, now)
        return rows.length
      }),
    BATCH,
  )
}
