import { LISTING_DAYS } from '#schema/limits'
import type { ListingStatus } from '#schema/wire/listing'
import type { LocalizedText } from '#schema/wire/shapes'
import type { Tx } from '../../../db/tables.ts'
import { publish } from '../../../live/publish.ts'
import { notifyFollowers } from '../../follow/notify.ts'
import { changeListing, type Held, holdListing } from '../change.ts'
import { statusOf } from '../status.ts'

export type Decided = 'done' | 'unchanged' | 'unknown' | 'not-possible'

const DAY = 86_400_000
const OPEN: ReadonlySet<ListingStatus> = new Set(['active', 'reserved'])

/**
 * [API 5.2]. The first approval publishes for 60 days and notifies followers. `by: 'server'` is
 * `LISTING_REVIEW=auto`, which sends the owner `listing.published`.
 */
export async function approve(
  tx: Tx,
  id: string,
  by: 'moderator' | 'server',
  now: Date,
): Promise<Decided> {
  const held = await heldAlive(tx, id)
  if (held === null) return 'unknown'
  if (held.review_status === 'approved') return 'unchanged'
  const first = held.posted_at === null
  const dates = first
    ? { posted_at: now, expires_at: new Date(now.getTime() + LISTING_DAYS * DAY) }
    : {}
  await changeListing(
    tx,
    held,
    { review_status: 'approved', review_reason: null, ...dates },
    { actor: by, action: 'approved' },
    now,
  )
  const about = { listing: held.id, title: held.title, image: held.image }
  const fact =
    by === 'server'
      ? { event: 'listing.published' as const, ...about }
      : {
          event: 'listing.reviewed' as const,
          ...about,
          decision: 'approved' as const,
          reason: null,
        }
  publish(tx, { to: held.seller_id, by: null, at: now, fact })
  // Not for listings archived meanwhile or of a suspended seller: followers cannot open them.
  if (first && OPEN.has(statusOf({ ...held, review_status: 'approved' }, now)))
    await notifyFollowers(tx, held, now)
  return 'done'
}

export type Reason =
  | { readonly text: string }
  | { readonly code: string; readonly words: LocalizedText }

/** Pending or approved to rejected; the owner is notified of the reason. */
export async function reject(tx: Tx, id: string, reason: Reason, now: Date): Promise<Decided> {
  const held = await heldAlive(tx, id)
  if (held === null) return 'unknown'
  if (held.review_status === 'rejected') return 'not-possible'
  const written = 'text' in reason ? reason.text : reason.words.fr
  const change = {
    review_status: 'rejected' as const,
    review_reason: written,
    is_featured: false,
    featured_by_moderator: false,
    featured_until: null,
  }
  await changeListing(
    tx,
    held,
    change,
    { actor: 'moderator', action: 'rejected', reason: written },
    now,
  )
  notifyRejected(tx, held, reason, now)
  return 'done'
}

/** Deletion by a moderator; the owner is notified of the reason. */
export async function remove(tx: Tx, id: string, reason: Reason, now: Date): Promise<Decided> {
  const held = await heldAlive(tx, id)
  if (held === null) return 'unknown'
  const written = 'text' in reason ? reason.text : reason.words.fr
  await changeListing(
    tx,
    held,
    { deleted_at: now, is_featured: false, featured_until: null },
    { actor: 'moderator', action: 'removed', reason: written },
    now,
  )
  notifyRejected(tx, held, reason, now)
  return 'done'
}

function notifyRejected(tx: Tx, held: Held, reason: Reason, now: Date): void {
  const why =
    'text' in reason
      ? { reason: reason.text }
      : { reason: { fr: reason.words.fr, en: reason.words.en }, reason_code: reason.code }
  publish(tx, {
    to: held.seller_id,
    by: null,
    at: now,
    fact: {
      event: 'listing.reviewed',
      listing: held.id,
      title: held.title,
      image: held.image,
      decision: 'rejected',
      ...why,
    },
  })
}

/** Features a public listing, beyond the two an owner may have [API 16]. */
export async function feature(tx: Tx, id: string, days: number, now: Date): Promise<Decided> {
  const held = await heldAlive(tx, id)
  if (held === null) return 'unknown'
  if (
    held.review_status !== 'approved' ||
    held.is_sold ||
    held.is_archived ||
    !held.is_active ||
    (held.expires_at !== null && held.expires_at <= now)
  )
    return 'not-possible'
  const change = {
    is_featured: true,
    featured_by_moderator: true,
    featured_until: new Date(now.getTime() + days * DAY),
  }
  await changeListing(
    tx,
    held,
    change,
    { actor: 'moderator', action: 'featured', fields: ['is_featured'] },
    now,
  )
  return 'done'
}

export async function unfeature(tx: Tx, id: string, now: Date): Promise<Decided> {
  const held = await heldAlive(tx, id)
  if (held === null) return 'unknown'
  if (!held.is_featured) return 'unchanged'
  await changeListing(
    tx,
    held,
    { is_featured: false, featured_by_moderator: false, featured_until: null },
    { actor: 'moderator', action: 'unfeatured', fields: ['is_featured'] },
    now,
  )
  return 'done'
}

async function heldAlive(tx: Tx, id: string): Promise<Held | null> {
  const held = await holdListing(tx, id)
  return held?.deleted_at === null ? held : null
}
