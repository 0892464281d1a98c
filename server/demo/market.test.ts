import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { favouritesOf, followsOf, reviewing } from './interest.ts'
import { type DemoListing, listingsOf, type Offer, offersOf } from './listing.ts'
import { makePeople, type Person } from './person.ts'
import { content, looksFraudulent } from './source.ts'
import { type DemoConversation, conversationsOf } from './conversation.ts'

const DAY = 86_400_000
let people: Person[]
let listings: DemoListing[]
let offers: Offer[]
let conversations: DemoConversation[]
beforeAll(() => {
  people = makePeople(2000)
  listings = makeListings(people)
  offers = offersOf((n) => listings[n] ?? listingsOf(people)(n), listings.length)
  conversations = [...conversationsOf(people, offers, listingsOf(people), 3200)]
})

function makeListings(sellers: readonly Person[]): DemoListing[] {
  const draw = listingsOf(sellers)
  return Array.from({ length: 5000 }, (_, n) => draw(n))
}

const share = <T>(list: readonly T[], is: (one: T) => boolean): number =>
  list.filter(is).length / list.length

test('[S1.06] the market is the same at every start', () => {
  expect(makePeople(2000)).toEqual(people)
  const again = makeListings(people)
  expect(
    again.every((one, n) =>
      isDeepStrictEqual({ ...one, seller: 0 }, { ...listings[n], seller: 0 }),
    ),
  ).toBe(true)
  expect(
    [...conversationsOf(people, offers, listingsOf(people), 3200)].map(({ id, messages }) =>
      [id, messages.map(({ text }) => text).join()].join(),
    ),
  ).toEqual(
    conversations.map(({ id, messages }) => [id, messages.map(({ text }) => text).join()].join()),
  )
})

test('[S1.06] a bigger market begins with the smaller one', () => {
  const draw = listingsOf(people)
  expect([7, 600, 4321].map((n) => draw(n))).toEqual([7, 600, 4321].map((n) => listings[n]))
})

test('[S1.06] ids and usernames are all different', () => {
  expect(new Set(listings.map(({ id }) => id)).size).toBe(listings.length)
  expect(new Set(people.map(({ username }) => username.toLowerCase())).size).toBe(people.length)
  expect(people.every(({ username }) => /^[A-Za-z0-9][A-Za-z0-9_.-]{2,29}$/.test(username))).toBe(
    true,
  )
})

test('[S1.05] every category sells', () => {
  expect(new Set(listings.map(({ subject }) => subject.category))).toEqual(
    new Set(Object.keys(content.categories)),
  )
})

test.for([
  ['active', 0.78],
  ['sold', 0.09],
  ['reserved', 0.03],
  ['pending', 0.03],
  ['rejected', 0.015],
  ['archived', 0.055],
] as const)('[S3.01] about the right share is %s', ([status, expected]) => {
  expect(Math.abs(share(listings, (one) => one.status === status) - expected)).toBeLessThan(0.02)
})

test('[S3.02] six in ten are in the capital, one in five elsewhere', () => {
  const inTown = (slug: string) => share(listings, ({ location }) => location.town?.slug === slug)
  expect(inTown('ouagadougou')).toBeGreaterThan(0.5)
  expect(inTown('bobo-dioulasso')).toBeGreaterThan(0.1)
  expect(share(listings, ({ location }) => location.town === null)).toBeGreaterThan(0.02)
})

test('[S3.01] every text is whole: no placeholder left, within its bounds, with its French spaces', () => {
  const bare: string[] = []
  for (const { title, description } of listings) {
    expect(`${title} ${description}`).not.toMatch(/[{}]|undefined|null|NaN/)
    expect([title, [...title].length >= 5 && [...title].length <= 80]).toEqual([title, true])
    expect(description.length).toBeGreaterThan(5)
    expect(description.length).toBeLessThanOrEqual(2000)
    // French needs no-break spaces before these signs; texts with oddities are there to test
    // escaping.
    const meant = /[<>"]/.test(description)
    if (!meant && / [:;!?»]|« |[a-z]'[a-z]/.test(`${title} ${description}`)) bare.push(title)
  }
  expect(bare).toEqual([])
})

test('[S8.15] no description contains a phone number or looks like a fraud', () => {
  expect(looksFraudulent('Envoyez le code pour confirmer')).toBe(true)
  for (const { description } of listings) {
    expect(description.replaceAll(/\s/g, '')).not.toMatch(/\d{8}/)
    expect([description, looksFraudulent(description)]).toEqual([description, false])
  }
  const wicked = new Set(
    content.dialogues.scam.flatMap(({ turns }) => turns.map(({ text }) => text)),
  )
  const honest = conversations
    .flatMap(({ messages }) => messages.map(({ text }) => text))
    .filter((text) => !wicked.has(text))
  expect(honest.filter(looksFraudulent)).toEqual([])
})

test('[S3.01] prices are round, whole francs, and absent only where a category allows it', () => {
  const free = new Set(
    listings.filter(({ subject }) => subject.price === null).map(({ subject }) => subject.category),
  )
  expect(free).toEqual(
    new Set(['jobs', 'services', 'home-garden', 'sports', 'babies', 'animals', 'other']),
  )
  expect(
    listings
      .map(({ subject }) => subject.price)
      .filter((price) => price !== null && (price <= 0 || price % 250 !== 0)),
  ).toEqual([])
})

test('[S3.01] nobody has more than two featured listings, and nobody sold before joining', () => {
  const featured = new Map<number, number>()
  for (const { seller, featured: is } of offersOf(listingsOf(people), 5000))
    featured.set(seller.n, (featured.get(seller.n) ?? 0) + (is ? 1 : 0))
  expect(
    listings.filter(({ seller, createdAgo }) => seller.joinedDaysAgo * DAY <= createdAgo),
  ).toEqual([])
  expect(Math.max(...featured.values())).toBeLessThanOrEqual(2)
})

test('[S1.06] the named seller has a shop, twelve listings and more that are live, and one that waits', () => {
  const own = listings.filter(({ seller }) => seller.username === 'vendeur')
  expect(own[0]?.seller.shopName).not.toBeNull()
  expect(own.filter(({ status }) => status === 'active').length).toBeGreaterThanOrEqual(12)
  expect(own.filter(({ status }) => status === 'pending')).toHaveLength(1)
  expect(own.every(({ postedAgo }) => (postedAgo ?? 0) < 60 * DAY)).toBe(true)
})

test('[S1.06] the named accounts have one conversation of 120 read messages', () => {
  const named = conversations.filter(
    ({ buyer, listing }) => buyer.username === 'acheteur' || listing.seller.username === 'vendeur',
  )
  expect(named).toHaveLength(1)
  expect(named[0]?.messages.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 120 }, (_, at) => at + 1),
  )
  expect(named[0]?.unread).toEqual({ buyer: 0, seller: 0 })
})

test('[S3.12] messages follow each other, after their listing and before now', () => {
  for (const { messages, buyer, listing } of conversations) {
    expect(buyer).not.toBe(listing.seller)
    expect(
      messages.every(
        ({ ago }, at) => ago >= 0 && ago <= (messages[at - 1]?.ago ?? Number.POSITIVE_INFINITY),
      ),
    ).toBe(true)
  }
  expect(conversations.some(({ messages }) => messages.length >= 80)).toBe(true)
})

test('[S3.16] only users who exchanged messages review, once', () => {
  const exchanged = new Set(
    conversations
      .filter(({ messages }) => new Set(messages.map(({ from }) => from)).size === 2)
      .map(({ buyer, listing }) => `${buyer.n} ${listing.seller.n}`),
  )
  const review = reviewing()
  const reviews = conversations.flatMap((conversation) => review(conversation) ?? [])
  expect(reviews.length).toBeGreaterThan(1500)
  expect(new Set(reviews.map(({ author, seller }) => `${author.n} ${seller.n}`)).size).toBe(
    reviews.length,
  )
  expect(reviews.every(({ author, seller }) => exchanged.has(`${author.n} ${seller.n}`))).toBe(true)
})

test('[S3.17] nobody follows themselves or saves their own listing', () => {
  expect([...followsOf(people)].filter(({ follower, seller }) => follower === seller)).toEqual([])
  expect(
    [...favouritesOf(people, offers)].filter(({ person, listing }) => listing.seller === person),
  ).toEqual([])
})
