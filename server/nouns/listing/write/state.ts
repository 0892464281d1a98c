import { sql } from 'kysely'
import { countOf } from '../../../db/sql.ts'
import { lockPerson } from '../../shop/person.ts'
import type { Tx, Row } from '../../../db/tables.ts'
import { refuse } from '../../../route/index.ts'
import { changeListing, deletion, holdListing, NOT_FEATURED } from '../change.ts'
import { lockOwn } from './edit.ts'
import { statusOf } from '../status.ts'
import type { ListingStatus } from '#schema/wire/listing'

const DAY_MS = 86_400_000
/** At a time; those of moderators do not count [D48]. */
const FEATURED_MAX = 2

/** [API 9.4]. Returns whether it changed; throws 409 by [API 5.2]. */
export async function toggleListing(
  tx: Tx,
  id: string,
  me: string,
  request: ToggleRequest,
  now: Date,
) {
  const row = await lockOwn(tx, id, me, now)
  const result = toggled({ ...row, status: statusOf(row, now) }, request)
  if (result === 'same') return false
  if (typeof result === 'string') throw refuse(result)
  if (request.flag === 'featured' && result.on) await requireFeaturedSlot(tx, me, now)
  const action = `${request.flag} ${result.on ? 'on' : 'off'}`
  const change = effectsOf(request.flag, result.on, now)
  await changeListing(tx, row, change, { actor: 'owner', action }, now)
  if (request.flag === 'sold') await countSold(tx, me, result.on ? 1 : -1)
  return true
}

/** Two concurrent toggles must not exceed the limit. */
async function requireFeaturedSlot(tx: Tx, owner: string, now: Date) {
  await lockPerson(tx, owner)
  const featured = sql`listing where seller_id = ${owner} and is_featured
    and not featured_by_moderator and deleted_at is null and featured_until > ${now}`
  if ((await countOf(tx, featured)) >= FEATURED_MAX) throw refuse('featured_limit')
}

async function countSold(tx: Tx, owner: string, by: 1 | -1) {
  await tx
    .updateTable('app_user')
    .set((of) => ({
      items_sold: of.fn<number>('greatest', [of.val(0), of('items_sold', '+', by)]),
    }))
    .where('id', '=', owner)
    .execute()
}

/** [API 9.5]: to at most 90 days from now. */
export async function reactivateListing(tx: Tx, id: string, me: string, days: number, now: Date) {
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

/** [API 9.3]; also when already deleted. */
export async function deleteListing(tx: Tx, id: string, me: string, now: Date) {
  const held = await holdListing(tx, id)
  if (held?.seller_id === me && held.deleted_at !== null) return
  const row = await lockOwn(tx, id, me, now)
  await changeListing(tx, row, deletion(now), { actor: 'owner', action: 'deleted' }, now)
}

export const flags = ['active', 'featured', 'sold', 'reserved', 'archived'] as const
export type Flag = (typeof flags)[number]

interface ToggleRequest {
  readonly flag: Flag
  readonly desired: boolean | null
}

const ABSOLUTE: Readonly<Record<string, readonly [Flag, boolean]>> = {
  activate: ['active', true],
  deactivate: ['active', false],
  feature: ['featured', true],
  unfeature: ['featured', false],
  mark_sold: ['sold', true],
  mark_unsold: ['sold', false],
  mark_reserved: ['reserved', true],
  mark_unreserved: ['reserved', false],
  archive: ['archived', true],
  unarchive: ['archived', false],
}

/** By any name of the action [API 9.4]; null: unknown. */
export function toggleRequestOf(
  action: string,
  desired: boolean | null,
): ToggleRequest | 'contradiction' | null {
  const absolute = Object.hasOwn(ABSOLUTE, action) ? ABSOLUTE[action] : undefined
  if (absolute !== undefined) {
    const [flag, on] = absolute
    return desired === !on ? 'contradiction' : { flag, desired: on }
  }
  const name = action.replace(/^toggle_(is_)?/, '')
  const flag = flags.find((one) => one === name)
  return flag === undefined ? null : { flag, desired }
}

export type Toggled = Pick<Row<'listing'>, 'review_status' | `is_${Flag}`> & {
  readonly status: ListingStatus
}

/** The table of [API 5.2], first matching row. */
export function toggled(listing: Toggled, { flag, desired }: ToggleRequest) {
  const now = listing[`is_${flag}`]
  if (desired === now) return 'same' as const
  const on = desired ?? !now
  if (listing.review_status !== 'approved' && flag !== 'archived')
    return 'listing_not_approved' as const
  if (!on || flag === 'archived') return { on }
  return conflictOf(flag, listing.status) ?? { on }
}

function conflictOf(flag: Flag, status: ListingStatus) {
  const unavailable = 'listing_unavailable_for_action'
  if (status === 'archived') return unavailable
  if (flag === 'sold') return null
  if (status === 'sold') return 'listing_is_sold'
  if (status === 'expired') return flag === 'active' ? 'listing_expired' : unavailable
  return status === 'inactive' && flag !== 'active' ? unavailable : null
}

const WEEK_MS = 7 * 86_400_000

/** [API 5.2] */
function effectsOf(flag: Flag, on: boolean, now: Date) {
  switch (flag) {
    case 'active':
      return { is_active: on, ...(!on && NOT_FEATURED) }
    case 'reserved':
      return { is_reserved: on }
    case 'archived':
      return { is_archived: on, ...(on && NOT_FEATURED) }
    case 'sold':
      return on
        ? { is_sold: true, sold_at: now, is_reserved: false, ...NOT_FEATURED }
        : { is_sold: false, sold_at: null }
    case 'featured':
      return on
        ? {
            is_featured: true,
            featured_until: new Date(now.getTime() + WEEK_MS),
            featured_by_moderator: false,
          }
        : NOT_FEATURED
  }
}
