import { slugOf } from '../nouns/account/user.ts'
import { avatarUrl } from '../files/variants.ts'
import { demoId } from './ids.ts'
import { CALENDAR } from './listing.ts'
import { joinedAt, type Person } from './person.ts'
import { avatarOf } from './pictures.ts'

const ids = new WeakMap<Person, string>()

export function personId(person: Person): string {
  const id =
    ids.get(person) ?? demoId(CALENDAR - person.joinedDaysAgo * 86_400_000, 'person', person.n)
  ids.set(person, id)
  return id
}

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

export function personRow(person: Person, slug: string, passwordHash: string, now: number) {
  const joined = new Date(joinedAt(person, now)).toISOString()
  return {
    id: personId(person),
    username: person.username,
    username_key: person.username.toLowerCase(),
    email: person.email,
    email_verified_at: person.emailVerified ? joined : null,
    password_hash: passwordHash,
    phone: person.phone,
    avatar: person.hasAvatar ? avatarUrl(avatarOf(person.username).hash) : null,
    shop_name: person.shopName,
    slug,
    bio: person.bio,
    language: 'fr',
    verified_seller: person.verifiedSeller,
    is_moderator: person.moderator,
    typical_response_hours: person.responseHours,
    joined_at: joined,
    updated_at: joined,
  }
}
