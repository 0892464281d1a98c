import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { uuidOf } from '#schema/uuid'

const whole = v.pipe(v.number(), v.integer(), v.minValue(0))
/** Seconds before the demo's now. */
const ago = whole
/** The number of a line, from 0. */
const person = whole
const listing = whole
const flag = v.optional(v.boolean(), false)
const maybeText = v.optional(v.nullable(v.string()), null)
const maybeWhole = v.optional(v.nullable(whole), null)

const shapes = {
  people: v.strictObject({
    username: v.string(),
    slug: v.string(),
    shop_name: maybeText,
    bio: v.optional(v.string(), ''),
    phone: maybeText,
    /** The name of a file in pictures/. */
    avatar: maybeText,
    email_verified: flag,
    verified_seller: flag,
    moderator: flag,
    response_hours: maybeWhole,
    items_sold: v.optional(whole, 0),
    joined: ago,
  }),
  listings: v.strictObject({
    seller: person,
    category: v.string(),
    title: v.string(),
    description: v.string(),
    /** Whole F CFA; null where the category allows it. */
    price: maybeWhole,
    negotiable: flag,
    /** Whether it shows the seller's number. */
    contact_phone: flag,
    region: v.string(),
    town: maybeText,
    neighbourhood: maybeText,
    specs: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
    /** Names of photos (`photoNamed`), the cover first. */
    photos: v.array(v.string()),
    status: v.optional(
      v.picklist(['active', 'sold', 'reserved', 'pending', 'rejected', 'archived']),
      'active',
    ),
    review_reason: maybeText,
    featured: flag,
    views: whole,
    views_today: whole,
    created: ago,
    /** null: never approved. */
    posted: maybeWhole,
    sold: maybeWhole,
  }),
  conversations: v.strictObject({
    listing,
    /** The buyer. */
    person,
    /** Last messages that their receiver has not read. */
    unread: v.optional(whole, 0),
    /** Sender, age, text, and an attached photo. */
    messages: v.array(
      v.tuple([v.picklist(['buyer', 'seller']), ago, v.string(), v.optional(v.string())]),
    ),
    review: v.optional(
      v.strictObject({
        rating: v.pipe(whole, v.maxValue(5)),
        comment: v.optional(v.string(), ''),
        ago,
      }),
    ),
  }),
  favourites: v.strictObject({ person, listing, ago }),
  follows: v.strictObject({ person, seller: person, ago }),
  searches: v.strictObject({
    person,
    name: v.string(),
    params: v.record(v.string(), v.string()),
    alerts: v.string(),
    ago,
  }),
  reports: v.strictObject({
    person,
    listing,
    category: v.string(),
    message: v.string(),
    ago,
    closed: maybeWhole,
  }),
}

export function read<Name extends keyof typeof shapes>(
  name: Name,
): v.InferOutput<(typeof shapes)[Name]>[] {
  const text = readFileSync(join(import.meta.dirname, 'market', `${name}.jsonl`), 'utf8')
  return v.parse(v.array(shapes[name]), JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`))
}

/** Ids do not depend on the time of the fill. */
const CALENDAR = Date.UTC(2026, 6, 1, 9)

/** A reproducible UUIDv7: a hash of the name instead of random bits. */
export function demoId(ago: number, ...name: (string | number)[]) {
  const digits = hash('sha256', name.join(' '))
  return uuidOf(CALENDAR - ago * 1000, `${digits.slice(0, 3)}0${digits.slice(3)}`)
}

export type Market = ReturnType<typeof marketOf>
export type DemoListing = ReturnType<Market['listing']>

/** `acheteur`, `vendeur` and `moderateur`. */
const NAMED = 3
/** Those of `vendeur`, who needs all of them. */
const SELLER_LISTINGS = 16
const COPY_DELAY_S = 60

/**
 * In a smaller market, others take the places of absent people; a bigger one repeats people and
 * listings under other names and ids.
 */
export function marketOf(size: { listings: number; users: number }) {
  const [given, offered] = [read('people'), read('listings')]
  const count = Math.max(size.listings, SELLER_LISTINGS)
  const people = Array.from({ length: size.users }, (_, n) => {
    const original = at(given, n % given.length)
    const suffix = n < given.length ? '' : `-${n}`
    const username = `${original.username}${suffix}`
    return {
      ...original,
      n,
      id: demoId(original.joined, 'person', n),
      username,
      email: `${username.toLowerCase()}@${n < NAMED ? 'example.com' : 'exemple.test'}`,
      slug: `${original.slug}${suffix}`,
      moderator: original.moderator && n < given.length,
    }
  })
  const sellers = [...new Set(offered.map(({ seller }) => seller))].filter(
    (n) => n >= NAMED && n < size.users,
  )
  const sellerOf = (n: number) => at(people, n < size.users ? n : at(sellers, n % sellers.length))
  const personOf = (n: number) =>
    at(people, n < size.users ? n : NAMED + (n % (size.users - NAMED)))

  const made = new Map<number, ReturnType<typeof makeListing>>()
  const listing = (n: number) => {
    const one = made.get(n) ?? makeListing(n)
    // Conversations and favourites name only these, many times.
    if (n < offered.length) made.set(n, one)
    return one
  }
  const makeListing = (n: number) => {
    const { created, posted, ...original } = at(offered, n % offered.length)
    const round = Math.floor(n / offered.length)
    const delay = round * COPY_DELAY_S
    return {
      ...original,
      n,
      id: demoId(created + delay, 'listing', n),
      // Copies go round the sellers, each of whom may have so many.
      seller:
        round === 0
          ? sellerOf(original.seller)
          : at(people, at(sellers, (original.seller + round) % sellers.length)),
      // A seller has at most two featured listings [API 5.2]: none of those of absent ones.
      featured: original.featured && round === 0 && original.seller < size.users,
      created: created + delay,
      posted: posted === null ? null : posted + delay,
    }
  }

  /** The rows, and those of each copy of their people. */
  function* rounds<T extends { person: number }>(rows: readonly T[]): Generator<T> {
    for (let start = 0; start < size.users; start += given.length)
      for (const row of rows)
        // People who are absent from the first round have others in their places.
        if (start === 0 || row.person + start < size.users)
          yield { ...row, person: row.person + start }
  }
  const about = <T extends { person: number; listing: number }>(rows: readonly T[]) =>
    distinct(
      [...rounds(rows)]
        .filter((row) => row.listing < count)
        .map((row) => ({ ...row, person: personOf(row.person), listing: listing(row.listing) }))
        .filter((row) => row.listing.seller !== row.person),
      (row) => `${row.listing.n} ${row.person.n}`,
    )
  const ofPeople = <T extends { person: number }>(rows: readonly T[]) =>
    [...rounds(rows)]
      .filter((row) => row.person < size.users)
      .map((row) => ({ ...row, person: personOf(row.person) }))

  return {
    people,
    listing,
    *listings() {
      for (let n = 0; n < count; n += 1) yield listing(n)
    },
    conversations: about(read('conversations')),
    favourites: about(read('favourites')),
    reports: about(read('reports')),
    searches: ofPeople(read('searches')),
    follows: distinct(
      ofPeople(read('follows'))
        .map((row) => ({ ...row, seller: sellerOf(row.seller) }))
        .filter((row) => row.seller !== row.person),
      (row) => `${row.seller.n} ${row.person.n}`,
    ),
  }
}

export const distinct = <T>(rows: readonly T[], key: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [key(row), row])).values(),
]

function at<T>(list: readonly T[], index: number) {
  const one = list[index]
  if (one === undefined) throw new RangeError(`the demo has no entry ${index}`)
  return one
}
