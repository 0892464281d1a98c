import { demoId } from './ids.ts'
import { CALENDAR, type Offer } from './listing.ts'
import { ACCOUNTS, type Person } from './person.ts'
import { drawPairs, random, weightedChoice } from './random.ts'
import { content } from './source.ts'
import type { DemoConversation } from './conversation.ts'

const DAY = 86_400_000
const PER_PERSON = {
  favourites: 9000 / 2000,
  follows: 5200 / 2000,
  searches: 600 / 2000,
  reports: 120 / 2000,
}
const seen = ({ status }: Offer) => status === 'active' || status === 'reserved'
/** Favourites of the named buyer, so that the list is never empty. */
const FIXED_FAVOURITES = 5

export function favouritesOf(people: readonly Person[], listings: readonly Offer[]) {
  const open = listings.filter((one) => seen(one) && one.seller.n !== ACCOUNTS.seller)
  if (open.length === 0) return []
  const popular = weightedChoice(open, ({ views }) => views + 1)
  return drawPairs('favourite', people.length * PER_PERSON.favourites, (choice, n) => {
    const person = n < FIXED_FAVOURITES ? people[ACCOUNTS.buyer] : choice.pick(people)
    const listing = popular(choice)
    if (!person || listing.seller === person) return null
    const make = () => ({
      person,
      listing,
      ago: Math.round(choice.next() * (listing.postedAgo ?? 0)),
    })
    return { pair: `${person.n} ${listing.n}`, make }
  })
}

export function followsOf(people: readonly Person[]) {
  const sellers = people.filter(({ salesWeight, shopName }) => salesWeight > 0 || shopName !== null)
  if (sellers.length === 0) return []
  const liked = weightedChoice(
    sellers,
    ({ salesWeight, shopName }) => (salesWeight + 1) * (shopName === null ? 1 : 4),
  )
  return drawPairs('follow', people.length * PER_PERSON.follows, (choice) => {
    const [follower, seller] = [choice.pick(people), liked(choice)]
    // The named buyer does not follow the named seller yet: that is left to whoever tries the demo.
    if (follower === seller || (follower.n === ACCOUNTS.buyer && seller.n === ACCOUNTS.seller))
      return null
    const days = Math.min(follower.joinedDaysAgo, seller.joinedDaysAgo)
    const make = () => ({ follower, seller, ago: Math.round(choice.next() * days * DAY) })
    return { pair: `${follower.n} ${seller.n}`, make }
  })
}

/** Reviews between two who have both written, one per seller and author [API 10.3]. */
export function reviewing() {
  const pairs = new Set<string>()
  const { reviews } = content
  return ({ n, listing, buyer, messages }: DemoConversation) => {
    const choice = random('review', n)
    const pair = `${listing.seller.n} ${buyer.n}`
    const both = new Set(messages.map(({ from }) => from)).size === 2
    if (!both || n === 0 || pairs.has(pair) || !choice.chance(0.62)) return null
    pairs.add(pair)
    const stars = choice.weigh(reviews.distribution)
    const ago = Math.round((messages.at(-1)?.ago ?? 0) * choice.between(0.2, 1))
    const comment = choice.chance(reviews.share_without_comment)
      ? ''
      : choice.pick(reviews.comments[stars] ?? [''])
    return {
      id: demoId(CALENDAR - ago, 'review', n),
      author: buyer,
      seller: listing.seller,
      rating: Number(stars),
      comment,
      ago,
    }
  }
}

export function searchesOf(people: readonly Person[]) {
  return drawPairs('search', people.length * PER_PERSON.searches, (choice, n) => {
    const person = n < 2 ? people[ACCOUNTS.buyer] : choice.pick(people)
    const wanted = choice.pick(content.saved_searches)
    if (!person) return null
    const ago = Math.round(choice.between(1, Math.min(90, person.joinedDaysAgo)) * DAY)
    const params = Object.fromEntries(
      Object.entries(wanted.params).map(([name, value]) => [name, `${value}`]),
    )
    // No alerts for the named accounts: they must have nothing unread.
    const alerts = person.n < 3 ? 'off' : choice.weigh({ off: 0.3, daily: 0.6, instant: 0.1 })
    const id = demoId(CALENDAR - ago, 'search', n)
    const make = () => ({ id, person, name: wanted.name, params, alerts, ago })
    return { pair: `${person.n} ${wanted.name}`, make }
  })
}

export function* reportsOf(people: readonly Person[], listings: readonly Offer[]) {
  const open = listings.filter((one) => one.postedAgo !== null && one.seller.n !== ACCOUNTS.seller)
  if (open.length === 0) return
  for (let n = 0; n < people.length * PER_PERSON.reports; n += 1) {
    const choice = random('report', n)
    const [person, listing, report] = [
      choice.pick(people),
      choice.pick(open),
      choice.pick(content.reports),
    ]
    if (person.n < 3 || person === listing.seller) continue
    const ago = Math.round(choice.next() * (listing.postedAgo ?? 0))
    yield {
      id: demoId(CALENDAR - ago, 'report', n),
      person,
      listing,
      ...report,
      ago,
      closedAgo: choice.chance(0.6) ? Math.round(ago * 0.5) : null,
    }
  }
}
