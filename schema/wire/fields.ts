import * as v from 'valibot'

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

export const points = (text: string): number => [...text].length

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

/** [API 1.3]; `pageOf` limits the size. */
export const pages = {
  page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1, 'invalid'))),
  page_size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1, 'invalid'))),
}

const members = v.record(v.string(), v.unknown())
/** valibot's record would accept an array as an empty object. */
export const plain: typeof members = {
  ...members,
  '~run': (dataset, config) =>
    members['~run'](Array.isArray(dataset.value) ? { value: 0 } : dataset, config),
}

/** Repeated parameters are joined, and an empty one differs from an absent one [API 1.1]. */
export const commaList = v.pipe(v.string(), v.metadata({ commaList: true }))
