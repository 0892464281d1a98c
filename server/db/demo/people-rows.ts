import { slugOf } from '../../nouns/account/slug.ts'
import { avatarUrl } from '../../files/address.ts'
import { demoId } from './ids.ts'
import { CALENDAR } from './listing.ts'
import { joinedAt, type Person } from './person.ts'
import { fnv1a } from './random.ts'
import type { Drawing } from './pictures/draw.ts'

const ids = new WeakMap<Person, string>()

/** Asked for with each of their messages and photos, so made once. */
export function personId(person: Person): string {
  const id = ids.get(person) ?? demoId(CALENDAR - person.joinedDaysAgo * 86_400_000, 'person', person.n)
  ids.set(person, id)
  return id
}

export const PERSON_COLUMNS = {
  id: 'text', username: 'text', username_key: 'text', email: 'text', email_verified_at: 'timestamptz', password_hash: 'text', phone: 'text', avatar: 'text', shop_name: 'text', slug: 'text', bio: 'text',
  language: 'text', verified_seller: 'boolean', is_moderator: 'boolean', followers_count: 'integer', following_count: 'integer', items_sold: 'integer', typical_response_hours: 'integer', joined_at: 'timestamptz', updated_at: 'timestamptz',
} as const

/** What the rest of the market says of a person. */
export interface Standing {
  readonly followers: number
  readonly following: number
  readonly sold: number
}

/** Slugs of all, unique: of the shop's name where there is one. */
export function slugsOf(people: readonly Person[]): (person: Person) => string {
  const taken = new Map<string, number>()
  const slugs = people.map(({ shopName, username }) => {
    const base = slugOf(shopName ?? username)
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    return count === 1 ? base : `${base}-${count}`
  })
  return ({ n }) => slugs[n] ?? ''
}

export function personRow(person: Person, slug: string, standing: Standing, passwordHash: string, now: number) {
  const joined = new Date(joinedAt(person, now)).toISOString()
  return {
    id: personId(person),
    username: person.username,
    username_key: person.username.toLowerCase(),
    email: person.email,
    email_verified_at: person.emailVerified ? joined : null,
    password_hash: passwordHash,
    phone: person.phone,
    avatar: person.avatarHue === null ? null : avatarUrl(avatarHash(person)),
    shop_name: person.shopName,
    slug,
    bio: person.bio,
    language: person.language,
    verified_seller: person.verifiedSeller,
    is_moderator: person.moderator,
    followers_count: standing.followers,
    following_count: standing.following,
    items_sold: standing.sold,
    typical_response_hours: person.responseHours,
    joined_at: joined,
    updated_at: joined,
  }
}

/** Many people share a letter and a colour, and so an avatar. */
export const avatarOf = ({ username, avatarHue }: Person): Drawing => ({ letter: username.charAt(0).toUpperCase(), hue: Math.round((avatarHue ?? 0) / 12) * 12 })

export function avatarHash(person: Person): string {
  const name = JSON.stringify(avatarOf(person))
  return [1, 2, 3, 4].map((part) => fnv1a(`avatar 1 ${part} ${name}`).toString(16).padStart(8, '0')).join('')
}
