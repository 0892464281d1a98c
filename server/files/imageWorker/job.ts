import * as v from 'valibot'

export const bytes = v.custom<Uint8Array>((it) => it instanceof Uint8Array)

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

/** In memory only: `keepPicture` stores it. */
const preparedPicture = v.object({
  hash: v.string(),
  width: v.number(),
  height: v.number(),
  formats: v.array(v.string()),
  thumbhash: v.string(),
  color: v.string(),
  bytes: v.number(),
  folder: v.string(),
  files: v.map(v.string(), bytes),
})
export type PreparedPicture = Readonly<v.InferOutput<typeof preparedPicture>>

export const developed = v.union([preparedPicture, v.object({ code: pictureCode })])
export type Developed = PreparedPicture | { readonly code: PictureCode }

export const reply = v.variant('kind', [
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('done'), done: v.unknown() }),
  v.object({ kind: v.literal('failed'), reason: v.string() }),
])
export type Reply = v.InferOutput<typeof reply>
