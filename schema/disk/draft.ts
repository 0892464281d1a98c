import * as v from 'valibot'
import { uuid } from '../wire/shapes.ts'

/** Fields are stored as typed, so that any version of the wizard can read them. */
export const listingDraft = v.object({
  /** Also the publish command's id: a draft is published at most once. */
  id: uuid,
  owner: v.string(),
  fields: v.record(v.string(), v.unknown()),
  photos: v.array(v.string()),
  /** null: a new listing. */
  listing: v.nullable(v.string()),
  /** ms */
  at: v.number(),
})
export type ListingDraft = v.InferOutput<typeof listingDraft>

/**
 * `file` is a Blob, or its bytes where the browser cannot store Blobs; schema/ has no DOM types.
 */
export const draftPhoto = v.object({
  id: uuid,
  draft: v.string(),
  owner: v.string(),
  file: v.unknown(),
  bytes: v.number(),
  width: v.number(),
  height: v.number(),
})
export type DraftPhoto = v.InferOutput<typeof draftPhoto>
