import * as v from 'valibot'

/** Fields of requests. Checks only: no schema here converts, because the API's description is made of them. */

/**
 * Lengths count Unicode code points [API 1.1], as JSON Schema does; valibot's own count UTF-16 units.
 * The message of a check, here and in any request schema, is the field code of [API 1.4] where it is not the generic one.
 */
/* @__NO_SIDE_EFFECTS__ */
export function atLeast(
  length: number,
  code?: string,
): v.MinLengthAction<string, number, string | undefined> {
  const action: v.MinLengthAction<string, number, string | undefined> = {
    ...v.minLength<string, number, string | undefined>(length, code),
    '~run': (dataset, config) => {
      if (dataset.typed && points(dataset.value) < length)
        v._addIssue(action, 'length', dataset, config)
      return dataset
    },
  }
  return action
}

/* @__NO_SIDE_EFFECTS__ */
export function atMost(
  length: number,
  code?: string,
): v.MaxLengthAction<string, number, string | undefined> {
  const action: v.MaxLengthAction<string, number, string | undefined> = {
    ...v.maxLength<string, number, string | undefined>(length, code),
    '~run': (dataset, config) => {
      if (dataset.typed && points(dataset.value) > length)
        v._addIssue(action, 'length', dataset, config)
      return dataset
    },
  }
  return action
}

/** How long a text is: its Unicode code points. */
export const points = (text: string): number => [...text].length

/** A text of so many characters; an empty one is `required` where at least one is needed. */
export const text = /* @__NO_SIDE_EFFECTS__ */ (min: number, max: number) =>
  v.pipe(v.string(), atLeast(min), atMost(max))
/** A text of any length but none: an empty one is `required`. */
export const needed = v.pipe(v.string(), v.minLength(1))
/** A text that is kept as it was typed, spaces at its ends included, and only composed (NFC): passwords. */
export const secret = /* @__NO_SIDE_EFFECTS__ */ (min: number, max: number, short: string) =>
  v.pipe(v.string(), v.metadata({ verbatim: true }), atLeast(min, short), atMost(max))
export const whole = /* @__NO_SIDE_EFFECTS__ */ (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))
/** May be absent or null; an empty text is null too. For PATCH: absent leaves the field alone, null clears it. */
export const optional = /* @__NO_SIDE_EFFECTS__ */ <T extends v.GenericSchema>(schema: T) =>
  v.nullish(schema)

/** [API 2]: the same value as Idempotency-Key. */
export const clientId = v.nullish(v.pipe(v.string(), v.regex(/^[!-~]{8,255}$/)))

/** `page` and `page_size` of [API 1.3]; more than `max` is lowered to it by `pageOf`. */
export const pages = {
  page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1, 'invalid'))),
  page_size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1, 'invalid'))),
}

const members = v.record(v.string(), v.unknown())
/** An object of any members; a list is none, though valibot's record makes an empty one of it. */
export const plain: typeof members = {
  ...members,
  '~run': (dataset, config) =>
    members['~run'](Array.isArray(dataset.value) ? { value: 0 } : dataset, config),
}

/** A comma list in a query: repeated parameters are joined, and an empty one is not the same as none [API 1.1]. */
export const commaList = v.pipe(v.string(), v.metadata({ commaList: true }))
