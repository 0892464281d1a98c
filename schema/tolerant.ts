import type { ListingSeller } from './wire/listing.ts'
import type { Image, SellerMini } from './wire/shapes.ts'

/**
 * Lenient parsers of server answers, also of simpler servers [API 19]. They never throw; they
 * return null or an empty value.
 */

export type Members = Readonly<Record<string, unknown>>

/** Stands for a missing time. */
export const EPOCH = '1970-01-01T00:00:00.000Z'

/** Of anything but an object: none. */
export function members(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
}

/** An id may be a number, or an object with an `id`. */
export function idOf(value: unknown): string | null {
  const id = text(value) ?? text(members(value)['id'])
  return id !== null && /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : null
}

/** A non-negative integer, also from strings such as "3500000.00". */
export function amount(value: unknown): number | null {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? Number(value)
        : Number.NaN
  return Number.isFinite(number) && number >= 0 ? Math.round(number) : null
}

export function flag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  return value === 1 || value === 'true' || value === '1'
    ? true
    : value === 0 || value === 'false' || value === '0'
      ? false
      : null
}

/** Smaller numbers are epoch seconds, larger ones milliseconds (from 1973 on). */
const SECONDS_BELOW = 1e11

/**
 * RFC 3339 in UTC, from strings without zone or with microseconds, epoch seconds or milliseconds.
 */
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

function iso(ms: number): string | null {
  return Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null
}

/** ms since 1970; 0 for null. */
export function msOf(value: string | null): number {
  return value === null ? 0 : Date.parse(value) || 0
}

export function image(value: unknown): Image | null {
  const object = members(value)
  const url = typeof value === 'string' ? value : (text(object['url']) ?? text(object['image']))
  if (url === null || url === '') return null
  return {
    id: idOf(object['id']) ?? '',
    position: amount(object['position']) ?? 0,
    width: amount(object['width']) ?? 0,
    height: amount(object['height']) ?? 0,
    url,
    base: text(object['base']) ?? '',
    widths: each(object['widths'], amount),
    formats: each(object['formats'], text),
    thumbhash: text(object['thumbhash']),
    color: text(object['color']),
  }
}

export function images(value: unknown): Image[] {
  return each(value, image)
}

/** The readable elements; none of anything but an array. */
export function each<T>(list: unknown, read: (one: unknown) => T | null): T[] {
  return Array.isArray(list) ? list.flatMap((one) => read(one) ?? []) : []
}

/** A user object, or only an id or name. */
export function seller(value: unknown): SellerMini {
  const object = members(value)
  const id = idOf(value) ?? ''
  return {
    id,
    username:
      text(object['username']) ?? text(object['name']) ?? (typeof value === 'string' ? value : id),
    shop_name: text(object['shop_name']),
    slug: text(object['slug']),
    avatar: text(object['avatar']),
    verified_seller: flag(object['verified_seller']) ?? false,
    deleted: flag(object['deleted']) ?? false,
  }
}

/** A seller with what a detail or a shop adds. `joined`: the time where none is sent. */
export function sellerDetail(value: unknown, joined: string): Omit<ListingSeller, 'is_following'> {
  const object = members(value)
  return {
    ...seller(value),
    followers_count: amount(object['followers_count']) ?? 0,
    items_sold: amount(object['items_sold']) ?? 0,
    years_on_platform: amount(object['years_on_platform']) ?? 0,
    date_joined: moment(object['date_joined']) ?? joined,
    typical_response_hours: amount(object['typical_response_hours']),
    listings_count: amount(object['listings_count']) ?? 0,
  }
}

/** An average and a count, or only the average. */
export function ratingOf(value: unknown): {
  readonly average: number | null
  readonly count: number
} {
  const object = members(value)
  const average = typeof value === 'number' ? value : object['average']
  return {
    average: typeof average === 'number' && Number.isFinite(average) ? average : null,
    count: amount(object['count']) ?? 0,
  }
}

/**
 * Time of a confirmation in ms, rounded, so that a mere confirmation does not rewrite the
 * document.
 */
export function confirmedAt(now: number): number {
  return now - (now % (6 * 3_600_000))
}
