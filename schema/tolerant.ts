import { flag, members, type Members } from './members.ts'
import type { ListingSeller } from './wire/listing.ts'
import * as wire from './wire/shapes.ts'
import type { Image, SellerMini } from './wire/shapes.ts'
import type * as v from 'valibot'

/**
 * Lenient parsers of answers, also of simpler servers [API 19]: they never throw, but return null
 * or an empty value.
 */

export * from './members.ts'

export const EPOCH = '1970-01-01T00:00:00.000Z'

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
}

/** A number, or an object with an `id`, counts too. */
export function idOf(value: unknown): string | null {
  const id = text(value) ?? text(members(value)['id'])
  return id !== null && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : null
}

/** Non-negative integers, also from strings such as "3500000.00". */
export function amount(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : NaN
  return Number.isFinite(number) && number >= 0 ? Math.round(number) : null
}

/** Smaller numbers are epoch seconds, larger ones ms (from 1973 on). */
const SECONDS_BELOW = 1e11

/** RFC 3339 in UTC, from strings without zone or with microseconds, or epoch times. */
export function moment(value: unknown): string | null {
  if (typeof value === 'number')
    return Number.isFinite(value) ? iso(value < SECONDS_BELOW ? value * 1000 : value) : null
  if (typeof value !== 'string' || value.trim() === '') return null
  if (/^\d+(\.\d+)?$/.test(value)) return moment(Number(value))
  const zoned = /([zZ]|[+-]\d\d:?\d\d)$/.test(value)
    ? value
    : `${value.includes('T') || value.includes(' ') ? value : `${value}T00:00:00`}Z`
  return iso(Date.parse(zoned.replace(' ', 'T')))
}

function iso(ms: number) {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null
}

/** ms since 1970; 0 for null. */
export function msOf(value: string | null) {
  return value === null ? 0 : Date.parse(value) || 0
}

type Shape = Readonly<
  | { type: 'string' | 'number' | 'boolean' }
  | { type: 'literal'; literal: unknown }
  | { type: 'picklist'; options: readonly unknown[] }
  | { type: 'nullable'; wrapped: Shape }
  | { type: 'array'; item: Shape }
  | { type: 'object'; entries: Shapes }
  /** Only from the caller of `fill`. */
  | { type: 'union' | 'record' | 'loose_object' }
>
type Shapes = Readonly<{ [name: string]: Shape }>
type Entries = Readonly<Record<string, Shape & v.GenericSchema>>
type Filled<E extends Entries> = { [K in keyof E]: v.InferOutput<E[K]> }

/**
 * Reads by a wire schema: each member in any form of [API 19], or empty. `given`: members that name
 * and type do not suffice for.
 */
export function fill<E extends Entries>(
  entries: E,
  body: unknown,
  given: Partial<Filled<E>>,
): Filled<E>
export function fill(entries: Shapes, body: unknown, given: Members): Members {
  return filled(entries, body, given)
}

function filled(entries: Shapes, body: unknown, given: Members = {}): Members {
  const object = members(body)
  return Object.fromEntries(
    Object.entries(entries).map(([name, shape]) => [
      name,
      Object.hasOwn(given, name) ? given[name] : (valueOf(shape, object[name]) ?? emptyOf(shape)),
    ]),
  )
}

function valueOf(shape: Shape, value: unknown): unknown {
  if (shape === wire.id) return idOf(value)
  if (shape === wire.moment) return moment(value)
  switch (shape.type) {
    case 'string':
      return text(value)
    case 'number':
      return amount(value)
    case 'boolean':
      return flag(value)
    case 'picklist':
      return shape.options.includes(value) ? value : null
    case 'nullable':
      return valueOf(shape.wrapped, value)
    case 'array':
      return each(value, (one) => valueOf(shape.item, one))
    case 'object': {
      const { id } = shape.entries
      const isThere = typeof value === 'object' && value !== null
      return isThere && (id === undefined || idOf(value) !== null)
        ? filled(shape.entries, value)
        : null
    }
    default:
      return null
  }
}

function emptyOf(shape: Shape): unknown {
  if (shape === wire.moment) return EPOCH
  switch (shape.type) {
    case 'string':
      return ''
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'literal':
      return shape.literal
    case 'picklist':
      return shape.options[0]
    case 'object':
      return filled(shape.entries, {})
    default:
      return null
  }
}

export function image(value: unknown): Image | null {
  const { url: address, image: other } = members(value)
  const url = typeof value === 'string' ? value : (text(address) ?? text(other))
  return url === null || url === '' ? null : fill(wire.image.entries, value, { url })
}

export function images(value: unknown): Image[] {
  return each(value, image)
}

export function each<T>(list: unknown, read: (one: unknown) => T | null): T[] {
  return Array.isArray(list) ? list.flatMap((one) => read(one) ?? []) : []
}

export function seller(value: unknown): SellerMini {
  const { username, name } = members(value)
  const id = idOf(value) ?? ''
  return fill(wire.sellerMini.entries, value, {
    id,
    username: text(username) ?? text(name) ?? (typeof value === 'string' ? value : id),
  })
}

export function sellerDetail(value: unknown, joined: string): Omit<ListingSeller, 'is_following'> {
  return {
    ...seller(value),
    ...fill({ ...wire.sellerDetail, listings_count: wire.count }, value, {
      date_joined: moment(members(value)['date_joined']) ?? joined,
    }),
  }
}

export function ratingOf(value: unknown) {
  const object = members(value)
  const average = typeof value === 'number' ? value : object['average']
  return {
    average: typeof average === 'number' && Number.isFinite(average) ? average : null,
    count: amount(object['count']) ?? 0,
  }
}

/** In ms, rounded: a mere confirmation does not rewrite the document. */
export function confirmedAt(now: number) {
  return now - (now % (6 * 3_600_000))
}
