import { demoId } from './ids.ts'
import type { Language } from './labels.ts'
import { ACCOUNTS, type Person } from './person.ts'
import { drawDescription, drawTitle, wordsFor } from './phrases.ts'
import { lottery, type Random, random } from './random.ts'
import { content } from './source.ts'
import { drawSpot, type Spot } from './spot.ts'
import { drawSubject, type Subject } from './subject.ts'

const DAY = 86_400_000
export const EXPIRES_AFTER_DAYS = 60
/** The calendar of ids: they are the same whenever the demo is filled. */
export const CALENDAR = Date.UTC(2026, 6, 1, 9)

type Status = 'active' | 'sold' | 'reserved' | 'pending' | 'rejected' | 'archived'

/** One listing of the demo; ages are ms before the demo's now. */
export interface DemoListing {
  readonly n: number
  readonly id: string
  readonly seller: Person
  readonly spot: Spot
  readonly subject: Subject
  readonly specs: Subject['specs']
  readonly language: Language
  readonly title: string
  readonly description: string
  readonly negotiable: boolean
  readonly phone: string | null
  readonly status: Status
  readonly reviewReason: string | null
  readonly featured: boolean
  readonly createdAgo: number
  /** null: never approved. */
  readonly postedAgo: number | null
  readonly soldAgo: number | null
  readonly views: number
  readonly viewsToday: number
  readonly pictures: number
}

/** The named seller's listings come first: 14 that are live, one that waits, one that is sold. */
export const SELLER_LISTINGS = 16
const SELLER_PENDING = 14
const SELLER_SOLD = 15

/** Draws listing n of the market of these people; a function of n alone, so that any part of the market can be drawn. */
export function listingsOf(people: readonly Person[]): (n: number) => DemoListing {
  const year = new Date(CALENDAR).getUTCFullYear()
  const sellers = sellersOf(people)
  const draw = (n: number) => drawListing(n, sellers(n), year)
  return (n) => (n > SELLER_LISTINGS && random('twice', n).chance(0.006) ? twin(draw(n), draw(n - 1)) : draw(n))
}

/** As much of a listing as the rest of the market needs to know; half a million of these fit into memory. */
export type Offer = Pick<DemoListing, 'n' | 'id' | 'seller' | 'status' | 'featured' | 'postedAgo' | 'views'>

/** The first `count` listings in short; no seller has more than two featured ones (API.md 5.2). */
export function offersOf(draw: (n: number) => DemoListing, count: number): Offer[] {
  const featured = new Map<Person, number>()
  return Array.from({ length: count }, (_, at) => {
    const { n, id, seller, status, featured: wished, postedAgo, views } = draw(at)
    const already = featured.get(seller) ?? 0
    if (wished) featured.set(seller, already + 1)
    return { n, id, seller, status, featured: wished && already < 2, postedAgo, views }
  })
}

/** Shops keep to their trade; one listing in five is from anybody. */
function sellersOf(people: readonly Person[]): (n: number) => { seller: Person; category: string } {
  const vendor = people[ACCOUNTS.seller]
  const selling = people.filter(({ appetite }) => appetite > 0)
  if (!vendor) throw new Error('the demo needs its named accounts')
  const categories = Object.entries(content.categories)
  const category = lottery(categories, ([, { weight }]) => weight)
  const anybody = lottery(selling, ({ appetite, shopName }) => (shopName === null ? appetite : 0.01))
  const trade = new Map(categories.map(([slug]) => {
    const dealers = selling.filter(({ focus }) => focus === slug)
    return [slug, dealers.length > 0 ? lottery(dealers, ({ appetite }) => appetite) : null]
  }))
  return (n) => {
    if (n < SELLER_LISTINGS || selling.length === 0) return { seller: vendor, category: 'motos' }
    const choice = random('seller', n)
    const slug = category(choice)[0]
    const dealer = trade.get(slug)
    return { category: slug, seller: dealer && choice.chance(0.8) ? dealer(choice) : anybody(choice) }
  }
}

function drawListing(n: number, { seller, category }: { seller: Person; category: string }, year: number): DemoListing {
  const choice = random('listing', n)
  const demo = content.categories[category]
  if (!demo) throw new Error(`no demo category ${category}`)
  const language = n >= SELLER_LISTINGS && (seller.language === 'en' || choice.chance(0.025)) ? 'en' : 'fr'
  const spot = seller.shopName === null ? drawSpot(choice) : seller.spot
  const subject = drawSubject(category, spot, year, choice)
  const words = wordsFor(subject, spot, language, choice)
  const negotiable = choice.chance(demo.share_negotiable)
  const minimal = choice.chance(0.03)
  const description = drawDescription(subject, words, language, negotiable, choice)
  const life = drawLife(n, choice)
  const featured = life.status === 'active' && (n < 1 || choice.chance(0.04)) && (life.postedAgo ?? 0) < 30 * DAY
  const views = life.postedAgo === null ? 0 : Math.floor(Math.exp(choice.normal(3.6, 1.1))) * (featured ? 3 : 1)
  return {
    n,
    id: demoId(CALENDAR - life.createdAgo, 'listing', n),
    seller,
    spot,
    subject,
    specs: minimal ? {} : subject.specs,
    language,
    title: drawTitle(subject, words, language, choice.chance(0.02), choice),
    description: minimal ? (description.split(/(?<=[.!?])\s/)[0] ?? description) : choice.chance(0.01) ? `${description}\n${oddity(choice)}` : description,
    negotiable: subject.price !== null && negotiable,
    phone: choice.chance(demo.share_phone) ? seller.phone : null,
    featured,
    views,
    viewsToday: (life.postedAgo ?? 0) > DAY ? choice.binomial(views, 0.03) : views,
    pictures: choice.chance(0.02) && n >= SELLER_LISTINGS ? 0 : choice.whole(n < SELLER_LISTINGS ? 3 : demo.images[0], n < SELLER_LISTINGS ? 5 : demo.images[1]),
    ...life,
  }
}

type Life = Pick<DemoListing, 'status' | 'reviewReason' | 'createdAgo' | 'postedAgo' | 'soldAgo'>

function drawLife(n: number, choice: Random): Life {
  const drawn = choice.weigh({ active: 0.78, sold: 0.09, reserved: 0.03, pending: 0.03, rejected: 0.015, archived: 0.055 })
  const status = n >= SELLER_LISTINGS ? drawn : n === SELLER_PENDING ? 'pending' : n === SELLER_SOLD ? 'sold' : 'active'
  // Exponential with a median of 12 days; the named seller's stay clear of their end.
  const age = Math.min(n < SELLER_LISTINGS ? 40 : 120, -Math.log(1 - choice.next()) * (12 / Math.LN2)) * DAY + 90_000
  if (status === 'pending') return { status, reviewReason: null, createdAgo: age % (3 * DAY), postedAgo: null, soldAgo: null }
  const waited = choice.between(5, 400) * 60_000
  const reason = choice.pick(content.rejection_reasons)
  if (status === 'rejected') return { status, reviewReason: reason.fr, createdAgo: age % (20 * DAY), postedAgo: null, soldAgo: null }
  // A job archives what has been sold for 30 days.
  const soldAgo = status === 'sold' ? choice.between(0.01, Math.min(age / DAY, 28)) * DAY : null
  return { status, reviewReason: null, createdAgo: age + waited, postedAgo: age, soldAgo }
}

/** What escaping must survive. */
function oddity(choice: Random): string {
  return choice.pick([
    'Prix « cadeau » & garantie <3 mois> 🙂',
    '🔥🔥 Arrivage !! "neuf" & \'occasion\' 🔥🔥',
    'Taille < 40 ou > 42 ? Écrivez-moi & on voit 👍🏿',
    'Rapport qualité/prix : 10/10 ✅ <b>à saisir</b>',
  ])
}

/** The same seller puts the same thing up again: what the warning of doubles is for. */
function twin(listing: DemoListing, first: DemoListing): DemoListing {
  return { ...first, n: listing.n, id: listing.id, status: listing.status, reviewReason: listing.reviewReason, createdAgo: listing.createdAgo, postedAgo: listing.postedAgo, soldAgo: listing.soldAgo, featured: false, views: listing.views, viewsToday: listing.viewsToday }
}
