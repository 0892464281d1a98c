import { DAY_MS, REACTIVATE_DAYS_MAX } from '#schema/limits'
import { parsed } from '#schema/parsed'
import { listingEdit, listingReactivation, listingState } from '#schema/port/ownListing'
import { inOrder } from '../needs.ts'
import { given, msOf } from '../tolerant.ts'
import { statusOf } from '#schema/listingStatus'
import type { Entry, OwnListingDocument, Payload } from '../../noun.ts'

/** null: deleted. */
export function withOptimisticState(
  listing: OwnListingDocument,
  entries: readonly Entry[],
  now: number,
) {
  let current: OwnListingDocument | null = listing
  for (const entry of entries)
    if (entry.payload['listing'] === listing.id && entry.state !== 'refused')
      current = current && withEntry(current, entry)
  return current === listing || current === null
    ? current
    : { ...current, status: statusOf(current, new Date(now)) }
}

function withEntry(stored: OwnListingDocument, { name, payload, bornAt }: Entry) {
  switch (name) {
    case 'listing.state':
      return toggled(stored, parsed(listingState, payload))
    case 'listing.reactivate':
      return renewed(stored, parsed(listingReactivation, payload), bornAt)
    case 'listing.edit':
      return edited(stored, parsed(listingEdit, payload))
    case 'listing.delete':
      return null
    default:
      return stored
  }
}

/** [API 5.2] */
function toggled(stored: OwnListingDocument, payload: Payload<'listing.state'> | null) {
  if (payload === null) return stored
  const { flag, desired } = payload
  const hidden = flag === 'active' ? !desired : (flag === 'sold' || flag === 'archived') && desired
  return {
    ...stored,
    ...(hidden && { is_featured: false }),
    ...(flag === 'sold' && desired && { is_reserved: false }),
    [`is_${flag}`]: desired,
  }
}

/** [API 5.2] */
function renewed(
  stored: OwnListingDocument,
  payload: Payload<'listing.reactivate'> | null,
  at: number,
) {
  if (payload === null) return stored
  const from = Math.max(at, msOf(stored.expires_at))
  const end = Math.min(from + payload.days * DAY_MS, at + REACTIVATE_DAYS_MAX * DAY_MS)
  return { ...stored, is_active: true, is_archived: false, expires_at: new Date(end).toISOString() }
}

/** [API 5.2] */
function edited(stored: OwnListingDocument, payload: Payload<'listing.edit'> | null) {
  if (payload === null) return stored
  const { photos, images, baseVersion } = payload
  const { description, specs, contact_phone, ...card } = given(payload.fields)
  const shown =
    images &&
    stored.more &&
    inOrder(images.order, new Map(stored.more.images.map((image) => [image.id, image])))
  const version = stored.more?.version ?? null
  const more = stored.more && {
    ...stored.more,
    // What this edit covers was not seen: the next one must not claim to know a later version.
    ...(version !== null && baseVersion !== null && { version: Math.min(version, baseVersion) }),
    ...given({ description, specs, contact_phone }),
    ...(shown && { images: shown }),
  }
  const toReview =
    stored.review_status === 'rejected' ||
    photos.length > 0 ||
    [card.title, description, card.category].some((one) => one !== undefined)
  return {
    ...stored,
    ...card,
    ...(card.region !== undefined && { region_name: '' }),
    ...(card.town !== undefined && { town_name: null }),
    ...(card.neighbourhood !== undefined && { neighbourhood_name: null }),
    more,
    ...(contact_phone !== undefined && { has_phone: contact_phone !== null }),
    ...(shown && { cover: shown[0] ?? null, images_count: shown.length }),
    ...(toReview && { review_status: 'pending' as const, review_reason: null }),
  }
}
