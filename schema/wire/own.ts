import * as v from 'valibot'
import { DESCRIPTION_MAX, IMAGES_PER_LISTING, TITLE_MAX, TITLE_MIN } from '../limits.ts'
import { call, personal } from './call.ts'
import { listingCard, listingDetail, listingStatus } from './listing.ts'
import {
  atMost,
  clientId,
  count,
  id,
  image,
  moment,
  needed,
  nullableText,
  paged,
  pages,
  plain,
  text,
  whole,
} from './shapes.ts'

/** Calls of owners; visitors do not load this file. */

const note = v.nullish(v.pipe(v.string(), atMost(80)))
/** [API 5.3]; the server also validates what depends on category or place. */
const fields = {
  description: v.pipe(v.string(), v.minLength(1, 'blank'), atMost(DESCRIPTION_MAX)),
  negotiable: v.nullish(v.boolean()),
  town: note,
  neighbourhood: note,
  location_note: note,
  contact_phone: v.nullish(v.string()),
  specs: v.nullish(plain),
  price: v.nullish(v.union([v.number(), v.string()])),
  uploaded_image_ids: v.nullish(v.array(v.string())),
}
const title = text(TITLE_MIN, TITLE_MAX)

const MULTIPART_MAX = 30 * 1024 * 1024
const photos = {
  form: 'both',
  files: { uploaded_images: IMAGES_PER_LISTING },
  bodyMax: MULTIPART_MAX,
} as const

/** [API 9.1] */
export const createListing = call('listing.create', 'POST', 'listings/', {
  body: v.object({ title, ...fields, category: needed, region: needed, client_id: clientId }),
  answer: listingDetail,
  status: 201,
  ...photos,
})

/** [API 9.2]; `base_version`: the `version` that the edit started from. */
export const editListing = call('listing.edit', 'PATCH', 'listings/{id}/', {
  body: v.object({
    ...fields,
    title: v.optional(title),
    description: v.optional(fields.description),
    category: v.optional(needed),
    region: v.optional(needed),
    removed_image_ids: v.nullish(v.array(v.string())),
    base_version: v.nullish(whole(0, Number.MAX_SAFE_INTEGER)),
  }),
  answer: listingDetail,
  ...photos,
})

/** [API 9.3] */
export const deleteListing = call('listing.delete', 'DELETE', 'listings/{id}/')

/** [API 9.4]: `action` by any of its names, `desired` is the end state. */
export const toggleListing = call('listing.toggle', 'POST', 'listings/{id}/quick-toggle/', {
  body: v.object({
    action: v.pipe(v.string('invalid_choice'), v.minLength(1, 'required')),
    desired: v.nullish(v.boolean()),
  }),
  answer: v.object({ id, action: v.string(), changed: v.boolean(), listing: listingDetail }),
})

/** [API 9.5] */
export const reactivateListing = call('listing.reactivate', 'POST', 'listings/{id}/reactivate/', {
  body: v.object({ add_days: v.nullish(whole(1, 90)) }),
  answer: listingDetail,
})

/** [API 9.6] */
export const reorderImages = call('listing.reorder', 'PATCH', 'listings/{id}/reorder-images/', {
  body: v.object({
    image_ids: v.pipe(v.array(v.string()), v.minLength(1, 'invalid'), v.maxLength(100, 'invalid')),
  }),
  answer: v.object({ id, version: count, images: v.array(image) }),
})

const ownListing = v.object({
  ...listingCard.entries,
  ...v.pick(listingDetail, [
    'expires_at',
    'featured_until',
    'review_reason',
    'sold_at',
    'version',
    'client_id',
    'created_at',
    'favorites_count',
  ]).entries,
  contacts_total: count,
  unread_messages: count,
})

export const ownTotals = v.object({
  all: count,
  active: count,
  archived: count,
  pending: count,
  sold: count,
  views_total: count,
  views_today: count,
  contacts_total: count,
})
export type OwnTotals = v.InferOutput<typeof ownTotals>

/** [API 9.7] */
export const myListings = call('listing.mine', 'GET', 'profile/my-listings/', {
  ...personal,
  query: v.object({
    status: v.optional(
      v.picklist(['all', ...listingStatus.options.filter((status) => status !== 'deleted')]),
    ),
    ordering: v.optional(v.string()),
    sort: v.optional(v.string()),
    ...pages,
  }),
  answer: v.object({
    ...paged(ownListing).entries,
    totals: ownTotals,
  }),
})

/** [API 6.2]: to be used once within seven days. */
export const uploadPhoto = call('listing.upload', 'POST', 'uploads/', {
  body: v.object({ client_id: clientId }),
  answer: v.object({
    id,
    upload_id: id,
    client_id: nullableText,
    bytes: count,
    expires_at: moment,
    image,
  }),
  status: 201,
  form: 'multipart',
  files: { file: 1 },
})

/** [API 6.2] */
export const dropUpload = call('listing.dropUpload', 'DELETE', 'uploads/{id}/')
