import * as v from 'valibot'
import { localId as id, nullableText, whole } from '../wire/shapes.ts'
import { IMAGES_PER_LISTING, REACTIVATE_DAYS_MAX } from '../limits.ts'

/** Apart from the other commands, since visitors load what shows them on a listing. */

export const storedPhoto = { id, bytes: v.number() }

/** Named as in [API 5.3]. */
export const listingFields = v.object({
  title: v.string(),
  description: v.string(),
  category: v.string(),
  price: v.nullable(v.number()),
  negotiable: v.boolean(),
  region: v.string(),
  town: nullableText,
  neighbourhood: nullableText,
  location_note: nullableText,
  contact_phone: nullableText,
  specs: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
})
export type ListingFields = v.InferOutput<typeof listingFields>

/** The engine sets `upload` once the server has it; `round` counts its uploads. */
export const photo = v.object({
  ...storedPhoto,
  upload: v.optional(nullableText, null),
  round: v.optional(v.number(), 0),
})
export type QueuedPhoto = v.InferOutput<typeof photo>

export const photos = v.pipe(v.array(photo), v.maxLength(IMAGES_PER_LISTING, 'too_many_images'))

export const listingEdit = v.object({
  listing: id,
  /** Deleted once the server has everything. */
  draft: id,
  fields: v.partial(listingFields),
  base: v.partial(listingFields),
  photos,
  images: v.nullable(
    v.object({
      order: v.pipe(v.array(id), v.maxLength(IMAGES_PER_LISTING, 'too_many_images')),
      before: v.array(id),
    }),
  ),
  baseVersion: v.nullable(v.number()),
  wifiOnly: v.boolean(),
  /** Set by the engine for a server without `uploads/`. */
  whole: v.optional(v.boolean()),
  /**
   * Set by the engine when only the photo order is still to be sent; `listing`: the server's
   * answer.
   */
  left: v.optional(v.object({ order: v.array(id), listing: v.unknown() })),
})

export const listingState = v.object({
  listing: id,
  flag: v.picklist(['active', 'featured', 'sold', 'reserved', 'archived']),
  desired: v.boolean(),
})

export const listingReactivation = v.object({
  listing: id,
  days: whole(1, REACTIVATE_DAYS_MAX),
})
