import { sql } from 'kysely'
import { countOf } from '../../../db/count.ts'
import { lockPerson } from '../../shop/person.ts'
import type { Tx } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { changeListing, holdListing } from '../change.ts'
import { lockOwn } from './own.ts'
import { statusOf } from '../status.ts'
import { effectsOf, toggled, type ToggleRequest } from './toggle.ts'

const DAY_MS = 86_400_000
/** The owner's own, at a time; those of moderators do not count [D48]. */
const FEATURED_MAX = 2

/**
 * [API 9.4]: sets a flag. Returns whether anything changed; throws 409 by the table of [API 5.2].
 */
export async function toggleListing(
  tx: Tx,
  id: string,
  me: string,
  request: ToggleRequest,
  now: Date,
): Promise<boolean> {
  const row = await lockOwn(tx, id, me, now)
  const result = toggled({ ...row, status: statusOf(row, now) }, request)
  if (result === 'same') return false
  if (typeof result === 'string') throw refuse(result)
  if (request.flag === 'featured' && result.on) await requireFeaturedSlot(tx, me, now)
  await changeListing(
    tx,
    row,
    effectsOf(request.flag, result.on, now),
    { actor: 'owner', action: `${request.flag} ${result.on ? 'on' : 'off'}` },
    now,
  )
  if (request.flag === 'sold') await countSold(tx, me, result.on ? 1 : -1)
  return true
}

/** The lock on the owner's row prevents two concurrent toggles from exceeding the limit. */
async function requireFeaturedSlot(tx: Tx, owner: string, now: Date): Promise<void> {
  await lockPerson(tx, owner)
  const featured = sql`listing where seller_id = ${owner} and is_featured
    and not featured_by_moderator and deleted_at is null and featured_until > ${now}`
  if ((await countOf(tx, featured)) >= FEATURED_MAX) throw refuse('featured_limit')
}

async function countSold(tx: Tx, owner: string, by: 1 | -1): Promise<void> {
  await tx
    .updateTable('app_user')
    .set((of) => ({
      items_sold: of.fn<number>('greatest', [of.val(0), of('items_sold', '+', by)]),
    }))
    .where('id', '=', owner)
    .execute()
}

/** [API 9.5]: active again and extended by `days`, to at most 90 days from now. */
export async function reactivateListing(
  tx: Tx,
  id: string,
  me: string,
  days: number,
  now: Date,
): Promise<void> {
  const row = await lockOwn(tx, id, me, now)
  if (row.review_status !== 'approved') throw refuse('listing_not_approved')
  if (row.is_sold) throw refuse('listing_is_sold')
  const from = Math.max(now.getTime(), row.expires_at?.getTime() ?? 0)
  const expires_at = new Date(Math.min(from + days * DAY_MS, now.getTime() + 90 * DAY_MS))
  await changeListing(
    tx,
    row,
    { is_active: true, is_archived: false, lapsed: false, expiry_told_at: null, expires_at },
    { actor: 'owner', action: 'reactivate' },
    now,
  )
}

/** [API 9.3]; succeeds also when already deleted. Conversations retain title, price and cover. */
export async function deleteListing(tx: Tx, id: string, me: string, now: Date): Promise<void> {
  const held = await holdListing(tx, id)
  if (held?.seller_id === me && held.deleted_at !== null) return
  const row = await lockOwn(tx, id, me, now)
  await changeListing(
    tx,
    row,
    { deleted_at: now, is_featured: false, featured_until: null },
    { actor: 'owner', action: 'deleted' },
    now,
  )
}
