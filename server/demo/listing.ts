import { demoId } from './ids.ts'
import { ACCOUNTS, type Person } from './person.ts'
import { makeDescription, makeTitle, placeholdersFor } from './phrases.ts'
import { weightedChoice, type Random, random } from './random.ts'
import { photosOf } from './pictures.ts'
import { categoryOf, content, type Status } from './source.ts'
import { pickLocation } from './location.ts'
import { makeSubject, type Subject } from './subject.ts'

const DAY = 86_400_000
export const EXPIRES_AFTER_DAYS = 60
/** The fixed calendar of ids: they do not depend on the time of the fill. */
export const CALENDAR = Date.UTC(2026, 6, 1, 9)

/** Ages are ms before the demo's now. */
export type DemoListing = ReturnType<typeof makeListing>

/** The named seller's listings come first: 14 active, one pending, one sold. */
export const SELLER_LISTINGS = 16
const SELLER_PHOTOS: [number, number] = [3, 5]
const SELLER_PENDING = 14
const SELLER_SOLD = 15

/**
 * Generates listing n of these users; it depends on n alone, so that any part of the market can be
 * generated. Another `turn` shows the same goods in another picture (variety.ts).
 */
export function listingsOf(people: readonly Person[]): (n: number, turn?: number) => DemoListing {
  const year = new Date(CALENDAR).getUTCFullYear()
  const sellers = sellersOf(people)
  const draw = (n: number, turn = 0) => makeListing(n, sellers(n), year, turn)
  return (n, turn) =>
    n > SELLER_LISTINGS && random('twice', n).chance(0.006)
      ? duplicateOf(draw(n), draw(n - 1, turn))
      : draw(n, turn)
}

/**
 * The part of a listing that the rest of the market uses; half a million of these fit into memory.
 */
export type Offer = Pick<
  DemoListing,
  'n' | 'id' | 'seller' | 'status' | 'featured' | 'postedAgo' | 'views'
> &
  Pick<DemoListing['subject'], 'category' | 'price'>

/**
 * The first `count` listings in compact form; no seller has more than two featured ones [API 5.2].
 */
export function offersOf(draw: (n: number) => DemoListing, count: number): Offer[] {
  const featured = new Map<Person, number>()
  return Array.from({ length: count }, (_, at) => {
    const { n, id, seller, status, featured: wanted, postedAgo, views, subject } = draw(at)
    const { category, price } = subject
    const already = featured.get(seller) ?? 0
    if (wanted) featured.set(seller, already + 1)
    const featuredNow = wanted && already < 2
    return { n, id, seller, status, featured: featuredNow, postedAgo, views, category, price }
  })
}

/**
 * Picks a seller and category: shops sell their own category; one listing in five is from any
 * seller.
 */
function sellersOf(people: readonly Person[]): (n: number) => { seller: Person; category: string } {
  const vendor = people[ACCOUNTS.seller]
  const selling = people.filter(({ salesWeight }) => salesWeight > 0)
  if (!vendor) throw new Error('the demo needs its named accounts')
  const categories = Object.entries(content.categories)
  const category = weightedChoice(categories, ([, { weight }]) => weight)
  const anybody = weightedChoice(selling, ({ salesWeight, shopName }) =>
    shopName === null ? salesWeight : 0.01,
  )
  const trade = new Map(
    categories.map(([slug]) => {
      const dealers = selling.filter(({ focus }) => focus === slug)
      return [
        slug,
        dealers.length > 0 ? weightedChoice(dealers, ({ salesWeight }) => salesWeight) : null,
      ]
    }),
  )
  return (n) => {
    if (n < SELLER_LISTINGS || selling.length === 0) return { seller: vendor, category: 'motos' }
    const choice = random('seller', n)
    const slug = category(choice)[0]
    const dealer = trade.get(slug)
    return {
      category: slug,
      seller: dealer && choice.chance(0.8) ? dealer(choice) : anybody(choice),
    }
  }
}

function makeListing(
  n: number,
  { seller, category }: { seller: Person; category: string },
  year: number,
  turn: number,
) {
  const choice = random('listing', n)
  const demo = categoryOf(category)
  const location = seller.shopName === null ? pickLocation(choice) : seller.location
  const made = makeSubject(category, location, year, choice, { seed: n, turn })
  const negotiable = made.price !== null && choice.chance(demo.share_negotiable)
  const subject: Subject = { ...made, facts: { ...made.facts, negotiable } }
  const words = placeholdersFor(subject, location, choice)
  const minimal = choice.chance(0.03)
  const description = makeDescription(subject, words, choice)
  const lifecycle = pickLifecycle(n, choice)
  const featured =
    lifecycle.status === 'active' &&
    (n < 1 || choice.chance(0.04)) &&
    (lifecycle.postedAgo ?? 0) < 30 * DAY
  const views =
    lifecycle.postedAgo === null
      ? 0
      : Math.floor(Math.exp(choice.normal(3.6, 1.1))) * (featured ? 3 : 1)
  return {
    n,
    id: demoId(CALENDAR - lifecycle.createdAgo, 'listing', n),
    seller,
    location,
    subject,
    specs: minimal ? {} : subject.specs,
    title: makeTitle(subject, words, choice.chance(0.02), choice),
    description: minimal
      ? (description.split(/(?<=[.!?])\s/)[0] ?? description)
      : choice.chance(0.01)
        ? `${description}\n${choice.pick(content.unusual_sentences)}`
        : description,
    negotiable,
    phone: choice.chance(demo.share_phone) ? seller.phone : null,
    featured,
    views,
    viewsToday: (lifecycle.postedAgo ?? 0) > DAY ? choice.binomial(views, 0.03) : views,
    photos: Math.min(wantedPhotos(n, demo.images, choice), photosOf(n, subject).length),
    ...lifecycle,
  }
}

function wantedPhotos(n: number, range: [number, number], choice: Random): number {
  const none = choice.chance(0.02)
  if (n < SELLER_LISTINGS) return choice.whole(...SELLER_PHOTOS)
  return none ? 0 : choice.whole(...range)
}

interface Lifecycle {
  readonly status: Status
  readonly reviewReason: string | null
  readonly createdAgo: number
  /** null: never approved. */
  readonly postedAgo: number | null
  readonly soldAgo: number | null
}

function pickLifecycle(n: number, choice: Random): Lifecycle {
  const picked = choice.weigh(content.statuses)
  const status =
    n >= SELLER_LISTINGS
      ? picked
      : n === SELLER_PENDING
        ? 'pending'
        : n === SELLER_SOLD
          ? 'sold'
          : 'active'
  // Exponential with a median of 12 days; the named seller's listings do not come near their
  // expiry.
  const age =
    Math.min(n < SELLER_LISTINGS ? 40 : 120, -Math.log(1 - choice.next()) * (12 / Math.LN2)) * DAY +
    90_000
  if (status === 'pending')
    return {
      status,
      reviewReason: null,
      createdAgo: age % (3 * DAY),
      postedAgo: null,
      soldAgo: null,
    }
  const waited = choice.between(5, 400) * 60_000
  const reviewReason = choice.pick(content.rejection_reasons)
  if (status === 'rejected')
    return { status, reviewReason, createdAgo: age % (20 * DAY), postedAgo: null, soldAgo: null }
  // A job archives listings that were sold 30 days ago.
  const soldAgo = status === 'sold' ? choice.between(0.01, Math.min(age / DAY, 28)) * DAY : null
  return { status, reviewReason: null, createdAgo: age + waited, postedAgo: age, soldAgo }
}

/** For the duplicate warning. */
function duplicateOf(listing: DemoListing, first: DemoListing): DemoListing {
  return {
    ...first,
    n: listing.n,
    id: listing.id,
    status: listing.status,
    reviewReason: listing.reviewReason,
    createdAgo: listing.createdAgo,
    postedAgo: listing.postedAgo,
    soldAgo: listing.soldAgo,
    featured: false,
    views: listing.views,
    viewsToday: listing.viewsToday,
  }
}
