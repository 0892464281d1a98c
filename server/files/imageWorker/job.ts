import * as v from 'valibot'

export const bytes = v.custom<Uint8Array>((it) => it instanceof Uint8Array)

/** A task for the image process: a photo by its path, or an AVIF of a stored variant. */
export const order = v.variant('kind', [
  v.object({ kind: v.picklist(['photo', 'avatar']), path: v.string() }),
  v.object({ kind: v.literal('avif'), source: bytes, width: v.number() }),
])
export type Order = v.InferOutput<typeof order>

/** Codes of [API 5.4]. */
const pictureCode = v.picklist([
  'image_too_large',
  'image_type_unsupported',
  'image_too_small',
  'image_dimensions_too_large',
  'image_unreadable',
])
export type PictureCode = v.InferOutput<typeof pictureCode>

/** A checked photo with its variants, in memory only: `keepPicture` stores it. */
const preparedPicture = v.object({
  hash: v.string(),
  /** Of the source after orientation, in px. */
  width: v.number(),
  height: v.number(),
  formats: v.array(v.string()),
  thumbhash: v.string(),
  color: v.string(),
  /** Of the uploaded file. */
  bytes: v.number(),
  /** Folder of the stored variants: `images/<hash>`. */
  folder: v.string(),
  /** Variants by name, such as `320.webp`. */
  files: v.map(v.string(), bytes),
})
export type PreparedPicture = Readonly<v.InferOutput<typeof preparedPicture>>

export const developed = v.union([preparedPicture, v.object({ code: pictureCode })])
export type Developed = PreparedPicture | { readonly code: PictureCode }

/** A message of the image process: ready once, then the result of each task. */
export const word = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('done'), done: v.unknown() }),
  v.object({ kind: v.literal('failed'), reason: v.string() }),
])
export type Word = v.InferOutput<typeof word>
