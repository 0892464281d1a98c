import * as v from 'valibot'

/** A listing that is being written: every field as it was typed, whatever the wizard's version; photos in order. */
export const listingDraft = v.object({
  /** A UUIDv7: also the id of the command that publishes it, so that it is published once. */
  id: v.pipe(v.string(), v.uuid()),
  owner: v.string(),
  fields: v.record(v.string(), v.unknown()),
  photos: v.array(v.string()),
  /** The listing that it corrects; null: a new one. */
  listing: v.nullable(v.string()),
  /** ms, of the last change. */
  at: v.number(),
})
export type ListingDraft = v.InferOutput<typeof listingDraft>

/** A photo as it waits: `file` is a Blob, or its bytes where the browser keeps no Blob; this room knows neither. */
export const draftPhoto = v.object({
  id: v.pipe(v.string(), v.uuid()),
  draft: v.string(),
  owner: v.string(),
  file: v.unknown(),
  bytes: v.number(),
  width: v.number(),
  height: v.number(),
})
export type DraftPhoto = v.InferOutput<typeof draftPhoto>
