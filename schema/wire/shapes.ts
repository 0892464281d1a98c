import * as v from 'valibot'

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
  /** Absent in what a device stored before it existed. */
  avif_widths: v.nullable(v.array(count)),
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

/** false: `count` is a lower bound [D106]. */
const count_is_exact = v.optional(v.boolean())
export const lowerBound = { count, count_is_exact }

/** [API 1.3]; `cursor` where §3 specifies one. */
/* @__NO_SIDE_EFFECTS__ */
export function paged<T extends v.GenericSchema>(row: T) {
  return v.object({
    count: v.optional(count),
    count_is_exact,
    next: nullableText,
    previous: v.optional(nullableText),
    results: v.array(row),
    cursor: v.optional(v.string()),
  })
}

/**
 * Schemas only validate and never transform, because the OpenAPI description is generated from
 * them. A `nullish` field may be absent, null or (as null) empty; for PATCH, absent leaves it
 * unchanged and null clears it.
 */

/**
 * Lengths are in Unicode code points [API 1.1], as in JSON Schema; valibot's own are in UTF-16
 * units. The message of a check is its field code of [API 1.4], unless it is generic.
 */
export const atLeast = /* @__NO_SIDE_EFFECTS__ */ (length: number, code?: string) =>
  inPoints(v.minLength<string, number, string | undefined>(length, code), (own) => own >= length)
export const atMost = /* @__NO_SIDE_EFFECTS__ */ (length: number, code?: string) =>
  inPoints(v.maxLength<string, number, string | undefined>(length, code), (own) => own <= length)

type LengthAction =
  | v.MinLengthAction<string, number, string | undefined>
  | v.MaxLengthAction<string, number, string | undefined>

/* @__NO_SIDE_EFFECTS__ */
function inPoints<A extends LengthAction>(action: A, isValid: (length: number) => boolean): A {
  const run: LengthAction['~run'] = (dataset, config) => {
    if (dataset.typed && !isValid(points(dataset.value)))
      v._addIssue(action, 'length', dataset, config)
    return dataset
  }
  return Object.assign(action, { '~run': run })
}

export const points = (text: string) => [...text].length

/** An empty text is `required` if `min` is positive. */
export const text = /* @__NO_SIDE_EFFECTS__ */ (min: number, max: number) =>
  v.pipe(v.string(), atLeast(min), atMost(max))
export const needed = v.pipe(v.string(), v.minLength(1))
export const nullishText = v.nullish(v.string())
/** Stored as typed, including outer spaces, and only normalized to NFC. */
export const secret = /* @__NO_SIDE_EFFECTS__ */ (min: number, max: number, short: string) =>
  v.pipe(v.string(), v.metadata({ verbatim: true }), atLeast(min, short), atMost(max))
export const whole = /* @__NO_SIDE_EFFECTS__ */ (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
/** [API 2]: the same value as the Idempotency-Key. */
export const clientId = v.nullish(v.pipe(v.string(), v.regex(/^[!-~]{8,255}$/)))

const positive = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1, 'invalid')))
/** [API 1.3]; `pageOf` limits the size. */
export const pages = { page: positive, page_size: positive }

const members = v.record(v.string(), v.unknown())
/** valibot's record would accept an array as an empty object. */
export const plain: typeof members = {
  ...members,
  '~run': (dataset, config) =>
    members['~run'](Array.isArray(dataset.value) ? { value: 0 } : dataset, config),
}

/** Repeated parameters are joined, and an empty one differs from an absent one [API 1.1]. */
export const commaList = v.pipe(v.string(), v.metadata({ commaList: true }))
