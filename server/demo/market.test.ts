import { expect, test } from 'vitest'
import { categories } from '#schema/catalogue'
import texts from '#schema/data/texts.json' with { type: 'json' }
import { marketOf } from './market.ts'

const DAY_S = 86_400
const market = marketOf({ listings: 5000, users: 2000 })
const { people, conversations } = market
const listings = [...market.listings()]

const share = <T>(list: readonly T[], is: (one: T) => boolean): number =>
  list.filter(is).length / list.length
const small = () => marketOf({ listings: 120, users: 30 })

test('[S1.06] the market is the same at every start', () => {
  expect([...small().listings()]).toEqual([...small().listings()])
  expect(small().conversations).toEqual(small().conversations)
})

test('[S1.06] a bigger market begins with the smaller one, and all its ids and names differ', () => {
  const bigger = marketOf({ listings: 12_000, users: 4100 })
  const more = [...bigger.listings()]
  expect(more.slice(0, 5000)).toEqual(listings)
  expect(bigger.people.slice(0, 2000)).toEqual(people)
  expect(new Set(more.map(({ id }) => id)).size).toBe(12_000)
  for (const name of ['id', 'email', 'slug'] as const)
    expect(new Set(bigger.people.map((one) => one[name])).size).toBe(4100)
  const growth = bigger.favourites.length / market.favourites.length
  expect([growth > 2, growth < 2.1]).toEqual([true, true])
  expect(more.filter(({ featured }) => featured)).toEqual(
    listings.filter(({ featured }) => featured),
  )
  const named = (list: typeof listings) => list.filter(({ seller }) => seller.n < 3).length
  expect(named(more)).toBe(named(listings))
  expect(bigger.people.filter(({ moderator }) => moderator)).toHaveLength(1)
})

test('[S1.06] a smaller market has its own people and listings only, and no pair twice', () => {
  const { people: few, conversations: talks, favourites, follows, reports } = small()
  const own = new Set(few)
  const pairs = [talks, favourites, reports].map((rows) =>
    rows.map(({ person, listing }) => `${person.n} ${listing.n} ${listing.seller.n}`),
  )
  for (const rows of [talks, favourites, reports])
    expect(rows.filter(({ person, listing }) => person === listing.seller)).toEqual([])
  for (const found of pairs) expect(new Set(found).size).toBe(found.length)
  const parties = [
    ...talks.flatMap(({ person, listing }) => [person.n, listing.seller.n]),
    ...favourites.map(({ person }) => person.n),
    ...follows.flatMap(({ person, seller }) => [person.n, seller.n]),
  ]
  expect(parties.filter((n) => n >= own.size)).toEqual([])
  const featured = [...small().listings()].filter((one) => one.featured)
  for (const { seller } of featured)
    expect(featured.filter((one) => one.seller.n === seller.n).length).toBeLessThanOrEqual(2)
  expect([talks.length > 20, favourites.length > 50, follows.length > 20]).toEqual([
    true,
    true,
    true,
  ])
})

test('[S1.06] ids and usernames are all different', () => {
  expect(new Set(listings.map(({ id }) => id)).size).toBe(listings.length)
  expect(new Set(people.map(({ username }) => username.toLowerCase())).size).toBe(people.length)
  expect(people.every(({ username }) => /^[A-Za-z0-9][A-Za-z0-9_.-]{2,29}$/.test(username))).toBe(
    true,
  )
})

test('[S1.05] every category sells', () => {
  expect([...new Set(listings.map(({ category }) => category))].toSorted()).toEqual(
    categories.map(({ slug }) => slug).toSorted(),
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
  const inTown = (slug: string) => share(listings, ({ town }) => town === slug)
  expect(inTown('ouagadougou')).toBeGreaterThan(0.5)
  expect(inTown('bobo-dioulasso')).toBeGreaterThan(0.1)
  expect(share(listings, ({ town }) => town === null)).toBeGreaterThan(0.02)
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

const frauds = texts.scam_patterns
  .filter(({ severity }) => severity === 'high')
  .map(({ pattern, flags }) => new RegExp(pattern, flags))

function looksFraudulent(text: string): boolean {
  const folded = text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\s+/g, ' ')
  return frauds.some((fraud) => fraud.test(folded))
}

/** Of messages in the frauds that the demo shows. */
const WICKED = new RegExp(
  [
    'envoyé l’argent|Envoyez le code|Faites un dépôt|Je me suis trompé de montant',
    'Payez seulement les frais|votre compte sera bloqué|frais de visite avant',
    'sur ce lien|sur les liens',
  ].join('|'),
)

test('[S8.15] no description contains a phone number or looks like a fraud', () => {
  expect(looksFraudulent('Envoyez le code pour confirmer')).toBe(true)
  for (const { description } of listings) {
    expect(description.replaceAll(/\s/g, '')).not.toMatch(/\d{8}/)
    expect([description, looksFraudulent(description)]).toEqual([description, false])
  }
  const written = conversations.flatMap(({ messages }) => messages.map(([, , text]) => text))
  expect(written.filter((text) => !WICKED.test(text)).filter(looksFraudulent)).toEqual([])
  expect(written.some(looksFraudulent)).toBe(true)
})

test('[S3.01] prices are round, whole francs, and absent only where a category allows it', () => {
  const free = new Set(
    listings.filter(({ price }) => price === null).map(({ category }) => category),
  )
  expect(free).toEqual(
    new Set(['jobs', 'services', 'home-garden', 'sports', 'babies', 'animals', 'other']),
  )
  expect(
    listings
      .map(({ price }) => price)
      .filter((price) => price !== null && (price <= 0 || price % 250 !== 0)),
  ).toEqual([])
})

test('[S3.01] nobody has more than two featured listings, and nobody sold before joining', () => {
  const featured = Map.groupBy(
    listings.filter((one) => one.featured),
    ({ seller }) => seller.n,
  )
  expect(listings.filter(({ seller, created }) => seller.joined <= created)).toEqual([])
  expect(Math.max(...[...featured.values()].map(({ length }) => length))).toBeLessThanOrEqual(2)
})

test('[S1.06] the named seller has a shop, twelve listings and more that are live, and one that waits', () => {
  const own = listings.filter(({ seller }) => seller.username === 'vendeur')
  expect(own[0]?.seller.shop_name).not.toBeNull()
  expect(own.filter(({ status }) => status === 'active').length).toBeGreaterThanOrEqual(12)
  expect(own.filter(({ status }) => status === 'pending')).toHaveLength(1)
  expect(own.every(({ posted }) => (posted ?? 0) < 60 * DAY_S)).toBe(true)
})

test('[S1.06] the named accounts have one conversation of 120 read messages', () => {
  const named = conversations.filter(
    ({ person, listing }) =>
      person.username === 'acheteur' || listing.seller.username === 'vendeur',
  )
  expect(named.map(({ messages, unread }) => [messages.length, unread])).toEqual([[120, 0]])
})

test('[S3.12] messages follow each other, after their listing and before now', () => {
  for (const { messages, person, listing } of conversations) {
    expect(person).not.toBe(listing.seller)
    expect(
      messages.every(
        ([, ago], at) => ago >= 0 && ago <= (messages[at - 1]?.[1] ?? Number.POSITIVE_INFINITY),
      ),
    ).toBe(true)
  }
  expect(conversations.some(({ messages }) => messages.length >= 80)).toBe(true)
})

test('[S3.16] only users who exchanged messages review, once', () => {
  const reviews = conversations.filter(({ review }) => review !== undefined)
  expect(reviews.length).toBeGreaterThan(1500)
  expect(
    new Set(reviews.map(({ person, listing }) => `${person.n} ${listing.seller.n}`)).size,
  ).toBe(reviews.length)
  expect(
    reviews.filter(({ messages }) => new Set(messages.map(([from]) => from)).size < 2),
  ).toEqual([])
})

test('[S3.17] nobody follows themselves or saves their own listing', () => {
  expect(market.follows.filter(({ person, seller }) => person === seller)).toEqual([])
  expect(market.favourites.filter(({ person, listing }) => listing.seller === person)).toEqual([])
})
