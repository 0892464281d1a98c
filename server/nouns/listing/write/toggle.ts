import type { ListingStatus } from '#schema/wire/listing'
import type { Row } from '../../../db/tables.ts'
import { NOT_FEATURED } from '../change.ts'

export const flags = ['active', 'featured', 'sold', 'reserved', 'archived'] as const
export type Flag = (typeof flags)[number]

export interface ToggleRequest {
  readonly flag: Flag
  readonly desired: boolean | null
}

const ABSOLUTE: Readonly<Record<string, ToggleRequest>> = {
  activate: { flag: 'active', desired: true },
  deactivate: { flag: 'active', desired: false },
  feature: { flag: 'featured', desired: true },
  unfeature: { flag: 'featured', desired: false },
  mark_sold: { flag: 'sold', desired: true },
  mark_unsold: { flag: 'sold', desired: false },
  mark_reserved: { flag: 'reserved', desired: true },
  mark_unreserved: { flag: 'reserved', desired: false },
  archive: { flag: 'archived', desired: true },
  unarchive: { flag: 'archived', desired: false },
}

/** Parses an action by any of its names [API 9.4]; null: unknown. */
export function toggleRequestOf(
  action: string,
  desired: boolean | null,
): ToggleRequest | 'contradiction' | null {
  const absolute = Object.hasOwn(ABSOLUTE, action) ? ABSOLUTE[action] : undefined
  if (absolute !== undefined)
    return desired !== null && desired !== absolute.desired ? 'contradiction' : absolute
  const name = action.replace(/^toggle_(is_)?/, '')
  const flag = flags.find((one) => one === name)
  return flag === undefined ? null : { flag, desired }
}

export type Toggled = Pick<Row<'listing'>, 'review_status' | `is_${Flag}`> & {
  readonly status: ListingStatus
}

type Conflict =
  | 'listing_not_approved'
  | 'listing_is_sold'
  | 'listing_expired'
  | 'listing_unavailable_for_action'

/**
 * The table of [API 5.2], first matching row: 'same' when nothing changes, a conflict, or the new
 * value. The caller checks the limit of featured listings.
 */
export function toggled(
  listing: Toggled,
  { flag, desired }: ToggleRequest,
): 'same' | Conflict | { readonly on: boolean } {
  const now = listing[`is_${flag}`]
  if (desired === now) return 'same'
  const on = desired ?? !now
  if (listing.review_status !== 'approved' && flag !== 'archived') return 'listing_not_approved'
  if (!on || flag === 'archived') return { on }
  return conflictOf(flag, listing.status) ?? { on }
}

function conflictOf(flag: Flag, status: ListingStatus): Conflict | null {
  if (flag === 'sold') return status === 'archived' ? 'listing_unavailable_for_action' : null
  if (status === 'sold') return 'listing_is_sold'
  if (status === 'archived') return 'listing_unavailable_for_action'
  if (status === 'expired')
    return flag === 'active' ? 'listing_expired' : 'listing_unavailable_for_action'
  return status === 'inactive' && flag !== 'active' ? 'listing_unavailable_for_action' : null
}

const WEEK_MS = 7 * 86_400_000

/** The columns to set when a flag becomes `on` [API 5.2]. */
export function effectsOf(flag: Flag, on: boolean, now: Date) {
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
