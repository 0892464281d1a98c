import type { OwnListingDocument } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import { DAY_MS, REACTIVATE_DAYS_MAX } from '#schema/limits'
import type { Payload } from '#schema/port/command'
import { listingEdit, listingReactivation, listingState, parsed } from '#schema/port/ownListing'
import type { Image } from '#schema/wire/shapes'
import { msOf } from '../tolerant.ts'
import { statusOf } from '#schema/listingStatus'

/**
 * Applies waiting entries to an own listing, so that fetched answers do not hide them. null: it
 * will be deleted. Refused entries are skipped. `now` in ms.
 */
export function withOptimisticState(
  listing: OwnListingDocument,
  entries: readonly Entry[],
  now: number,
): OwnListingDocument | null {
  let current: OwnListingDocument | null = listing
  for (const entry of entries) {
    if (entry.payload['listing'] !== listing.id || entry.state === 'refused') continue
    current = current && withEntry(current, entry)
  }
  return current === listing || current === null
    ? current
    : { ...current, status: statusOf(current, new Date(now)) }
}

function withEntry(
  stored: OwnListingDocument,
  { name, payload, bornAt }: Entry,
): OwnListingDocument | null {
  switch (name) {
    case 'listing.state': {
      const state = parsed(listingState, payload)
      return state ? toggled(stored, state) : stored
    }
    case 'listing.reactivate': {
      const renewal = parsed(listingReactivation, payload)
      return renewal ? renewed(stored, renewal.days, bornAt) : stored
    }
    case 'listing.edit': {
      const edit = parsed(listingEdit, payload)
      return edit ? edited(stored, edit) : stored
    }
    case 'listing.delete':
      return null
    default:
      return stored
  }
}

/** With side effects [API 5.2]: a hidden listing is not featured, a sold one is not reserved. */
function toggled(
  stored: OwnListingDocument,
  { flag, desired }: Payload<'listing.state'>,
): OwnListingDocument {
  const hidden = flag === 'active' ? !desired : (flag === 'sold' || flag === 'archived') && desired
  return {
    ...stored,
    ...(hidden && { is_featured: false }),
    ...(flag === 'sold' && desired && { is_reserved: false }),
    [`is_${flag}`]: desired,
  }
}

/** [API 5.2]: days count from the end or the tap, up to a maximum after the tap. */
function renewed(stored: OwnListingDocument, days: number, at: number): OwnListingDocument {
  const until = stored.expires_at === null ? 0 : msOf(stored.expires_at)
  const end = Math.min(Math.max(at, until) + days * DAY_MS, at + REACTIVATE_DAYS_MAX * DAY_MS)
  return { ...stored, is_active: true, is_archived: false, expires_at: new Date(end).toISOString() }
}

/**
 * Changed text, category or new photos need a review, and so does any change of a rejected listing
 * [API 5.2].
 */
function edited(
  stored: OwnListingDocument,
  { fields, photos, images, baseVersion }: Payload<'listing.edit'>,
): OwnListingDocument {
  const { description, specs, contact_phone: phone, ...rest } = fields
  const shown = images && stored.more ? inOrder(stored.more.images, images.order) : null
  const version = stored.more?.version ?? null
  const more = stored.more && {
    ...stored.more,
    // What this edit covers was not seen: the next one must not claim to know a later version.
    ...(version !== null && baseVersion !== null && { version: Math.min(version, baseVersion) }),
    ...(description !== undefined && { description }),
    ...(specs !== undefined && { specs }),
    ...(phone !== undefined && { contact_phone: phone }),
    ...(shown && { images: shown }),
  }
  const toReview =
    stored.review_status === 'rejected' ||
    photos.length > 0 ||
    [fields.title, fields.description, fields.category].some((one) => one !== undefined)
  return {
    ...stored,
    ...given(rest),
    more,
    ...(phone !== undefined && { has_phone: phone !== null }),
    ...(shown && { cover: shown[0] ?? null, images_count: shown.length }),
    ...(toReview && { review_status: 'pending' as const, review_reason: null }),
  }
}

function inOrder(images: readonly Image[], order: readonly string[]): Image[] {
  return order.flatMap((id) => images.find((one) => one.id === id) ?? [])
}

/** Only the given fields. Names of new places stay empty until the server sends them. */
function given({
  region,
  town,
  neighbourhood,
  ...rest
}: Omit<
  Payload<'listing.edit'>['fields'],
  'description' | 'specs' | 'contact_phone'
>): Partial<OwnListingDocument> {
  const plain = Object.fromEntries(Object.entries(rest).filter(([, one]) => one !== undefined))
  return {
    ...plain,
    ...(region !== undefined && { region, region_name: '' }),
    ...(town !== undefined && { town, town_name: null }),
    ...(neighbourhood !== undefined && { neighbourhood, neighbourhood_name: null }),
  }
}
