import * as v from 'valibot'

export const bytes = v.custom<Uint8Array>((it) => it instanceof Uint8Array)

/** What the server asks of the imageWorker's process: a photo by the path of its file, or a variant in AVIF of one that was kept. */
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

/** A photo that was judged and turned into its variants, in memory only: nothing is stored before `keepPicture`. */
const preparedPicture = v.object({
  hash: v.string(),
  /** Of the source after orientation, in px. */
  width: v.number(),
  height: v.number(),
  formats: v.array(v.string()),
  thumbhash: v.string(),
  color: v.string(),
  /** Of the file that was sent. */
  bytes: v.number(),
  /** Where its variants are kept: `images/<hash>`. */
  folder: v.string(),
  /** Variants by their names: `320.webp`. */
  files: v.map(v.string(), bytes),
})
export type PreparedPicture = Readonly<v.InferOutput<typeof preparedPicture>>

/** A photo, or why it is refused. */
export const developed = v.union([preparedPicture, v.object({ code: pictureCode })])
export type Developed = PreparedPicture | { readonly code: PictureCode }

/** What the process says: once that it can work, and how each order ended. */
export const word = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('done'), done: v.unknown() }),
  v.object({ kind: v.literal('failed'), reason: v.string() }),
])
export type Word = v.InferOutput<typeof word>
