import { LISTING_DAYS } from '#schema/limits'
import { statusOf as statusByFlags } from '#schema/listingStatus'
import type { ListingStatus } from '#schema/wire/listing'
import type { LocalizedText, Language } from '#schema/wire/shapes'
import type { Tx } from '../../../db/tables.ts'
import { notifyFollowers } from '../../follow/routes.ts'
import {
  changeListing,
  deletion,
  type Held,
  holdListing,
  NOT_FEATURED,
  tellSeller,
} from '../change.ts'
import { statusOf } from '../status.ts'
import file from './reasons.json' with { type: 'json' }

export type Decided = 'done' | 'unchanged' | 'unknown' | 'not-possible'

const DAY = 86_400_000
const OPEN: ReadonlySet<ListingStatus> = new Set(['active', 'reserved'])

/** [API 5.2]. `server` is `LISTING_REVIEW=auto`. */
export const approve = (tx: Tx, id: string, by: 'moderator' | 'server', now: Date) =>
  decide(tx, id, async (held) => {
    if (held.review_status === 'approved') return 'unchanged'
    const first = held.posted_at === null
    const expires_at = new Date(now.getTime() + LISTING_DAYS * DAY)
    const approval = { review_status: 'approved', review_reason: null } as const
    const change = { ...approval, ...(first && { posted_at: now, expires_at }) }
    await changeListing(tx, held, change, { actor: by, action: 'approved' }, now)
    if (by === 'server') tellSeller(tx, held, { event: 'listing.published' }, now)
    else
      tellSeller(tx, held, { event: 'listing.reviewed', decision: 'approved', reason: null }, now)
    // Followers could not open a listing archived meanwhile or of a suspended seller.
    if (first && OPEN.has(statusOf({ ...held, review_status: 'approved' }, now)))
      await notifyFollowers(tx, held, now)
    return 'done'
  })

export type Reason =
  | { readonly text: string }
  | { readonly code: string; readonly words: LocalizedText }

export const reject = (tx: Tx, id: string, reason: Reason, now: Date) =>
  decide(tx, id, async (held) => {
    if (held.review_status === 'rejected') return 'not-possible'
    const rejection = { review_status: 'rejected', review_reason: writtenIn(reason) } as const
    return withdraw(tx, held, { ...rejection, ...NOT_FEATURED }, 'rejected', reason, now)
  })

export const remove = (tx: Tx, id: string, reason: Reason, now: Date) =>
  decide(tx, id, (held) => withdraw(tx, held, deletion(now), 'removed', reason, now))

const writtenIn = (reason: Reason) => ('text' in reason ? reason.text : reason.words.fr)

async function withdraw(
  tx: Tx,
  held: Held,
  change: Parameters<typeof changeListing>[2],
  action: string,
  reason: Reason,
  now: Date,
) {
  const act = { actor: 'moderator', action, reason: writtenIn(reason) } as const
  await changeListing(tx, held, change, act, now)
  const why =
    'text' in reason
      ? { reason: reason.text }
      : { reason: { fr: reason.words.fr, en: reason.words.en }, reason_code: reason.code }
  tellSeller(tx, held, { event: 'listing.reviewed', decision: 'rejected', ...why }, now)
  return 'done' as const
}

const FEATURING = { actor: 'moderator', fields: ['is_featured'] } as const

/** Beyond the two an owner may have [API 16]. */
export const feature = (tx: Tx, id: string, days: number, now: Date) =>
  decide(tx, id, async (held) => {
    if (!OPEN.has(statusByFlags(held, now))) return 'not-possible'
    const featured_until = new Date(now.getTime() + days * DAY)
    const change = { is_featured: true, featured_by_moderator: true, featured_until }
    await changeListing(tx, held, change, { ...FEATURING, action: 'featured' }, now)
    return 'done'
  })

export const unfeature = (tx: Tx, id: string, now: Date) =>
  decide(tx, id, async (held) => {
    if (!held.is_featured) return 'unchanged'
    await changeListing(tx, held, NOT_FEATURED, { ...FEATURING, action: 'unfeatured' }, now)
    return 'done'
  })

async function decide(
  tx: Tx,
  id: string,
  decision: (held: Held) => Promise<Decided>,
): Promise<Decided> {
  const held = await holdListing(tx, id)
  return held?.deleted_at === null ? decision(held) : 'unknown'
}

export const REASONS: Readonly<Record<string, LocalizedText>> = file

/** Predefined ones are stored in French; a moderator's own text stays. */
export function reasonIn(kept: string | null, language: Language) {
  return Object.values(REASONS).find(({ fr }) => fr === kept)?.[language] ?? kept
}
