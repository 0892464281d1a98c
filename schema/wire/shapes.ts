import * as v from 'valibot'

/** An opaque id [API 1.1]. */
export const id = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,64}$/))
/** The server's or the device's, such as `new-LISTING`. */
export const localId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,80}$/))
export const uuid = v.pipe(v.string(), v.uuid())
/** RFC 3339 in UTC. */
export const moment = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/))
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const language = v.picklist(['fr', 'en'])
export type Language = v.InferOutput<typeof language>
export const localizedText = v.object({ fr: v.string(), en: v.string() })
export type LocalizedText = v.InferOutput<typeof localizedText>

export const nullableText = v.nullable(v.string())

/** [API 4.1] */
export const image = v.object({
  id,
  position: count,
  width: count,
  height: count,
  url: v.string(),
  base: v.string(),
  widths: v.array(count),
  formats: v.array(v.string()),
  thumbhash: nullableText,
  color: nullableText,
})
export type Image = v.InferOutput<typeof image>

/** [API 4.2] */
export const sellerMini = v.object({
  id,
  username: v.string(),
  shop_name: nullableText,
  slug: nullableText,
  avatar: nullableText,
  verified_seller: v.boolean(),
  deleted: v.boolean(),
})
export type SellerMini = v.InferOutput<typeof sellerMini>
/** The username of deleted accounts [API 4.2]. */
export const DELETED_NAME = 'compte-supprime'

/** In listings, shops and accounts [API 4.3, API 4.6, API 8.10]. */
export const sellerDetail = {
  followers_count: count,
  items_sold: count,
  years_on_platform: count,
  date_joined: moment,
  typical_response_hours: v.nullable(count),
}

export const rating = v.object({ average: v.nullable(v.number()), count })

/** [API 1.3]; `cursor` where §3 specifies one. */
/* @__NO_SIDE_EFFECTS__ */
export function paged<T extends v.GenericSchema>(row: T) {
  return v.object({
    count: v.optional(count),
    count_is_capped: v.optional(v.boolean()),
    next: nullableText,
    previous: v.optional(nullableText),
    results: v.array(row),
    cursor: v.optional(v.string()),
  })
}
