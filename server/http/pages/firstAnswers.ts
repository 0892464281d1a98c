import * as v from 'valibot'
import {
  listingCard,
  listingDetail,
  type ListingCard,
  type ListingDetail,
} from '#schema/wire/listing'
import { shop } from '#schema/wire/shop'

/**
 * Query results sent with the page, so that the list renders before the engine starts and fetches.
 * They have the form of the app's cache (src/data/firstAnswers.ts).
 */
export function givenBy(answers: ReadonlyMap<string, unknown>): readonly Given[] {
  return [...answers].flatMap(([path, body]) => givenFor(path, body) ?? [])
}

/** `name`: the query's name; `has`: a text that its key contains (members sorted). */
export interface Given {
  readonly name: string
  readonly has: string
  readonly rows: readonly object[]
  readonly facts: object
}

const cards = v.object({
  results: v.array(listingCard),
  count: v.optional(v.number()),
  next: v.optional(v.nullable(v.string())),
})

function givenFor(path: string, body: unknown): Given | null {
  if (path.startsWith('listings/?')) return listOf('listings.browse', '"from":0,"limit":20}', body)
  if (path.startsWith('recommendations/?type=recent'))
    return listOf('listings.recommended', '"type":"recent"', body)
  if (/^shops\/[^/]+\/listings\/\?/.test(path))
    return listOf('shop.listings', '"from":0,"limit":20,', body)
  const seller = v.safeParse(shop, body)
  if (seller.success) {
    const { is_following: isFollowing, is_me: isMe, is_blocked: blocked, ...known } = seller.output
    void [isMe, isFollowing, blocked]
    return {
      name: 'shop.detail',
      has: '"slug":',
      rows: [{ ...known, storedAt: 0 }],
      facts: { problem: null, isMe: false, isFollowing: false },
    }
  }
  const detail = v.safeParse(listingDetail, body)
  if (!detail.success) return null
  const facts = { problem: null, isOwner: false, saved: false, conversation: null }
  return {
    name: 'listing.detail',
    has: `"id":"${detail.output.id}"`,
    rows: [documentOf(detail.output, moreOf(detail.output))],
    facts,
  }
}

function listOf(name: string, has: string, body: unknown): Given | null {
  const page = v.safeParse(cards, body)
  if (!page.success) return null
  const { results, count = null, next = null } = page.output
  const facts = {
    count,
    coverage: 'covered',
    covered: results.length,
    more: next !== null,
    waiting: 0,
    problem: null,
  }
  return { name, has, rows: results.map((card) => documentOf(card, null)), facts }
}

/** The listing as the local database stores it, without what belongs to one account. */
function documentOf(listing: ListingCard, more: object | null): object {
  const { is_favorite: favourite, is_owner: owner, currency, images, category, ...card } = listing
  void [favourite, owner, currency]
  const newest = card.posted_at === null ? 0 : -Date.parse(card.posted_at)
  return {
    ...card,
    category: category.slug,
    cover: images[0] ?? null,
    seller_id: card.seller.id,
    more,
    newest,
    openedAt: 0,
    storedAt: 0,
  }
}

function moreOf(detail: ListingDetail): object {
  const { description, specs, images, seller, share_url, favorites_count, created_at, version } =
    detail
  return {
    description,
    specs,
    images,
    seller,
    share_url,
    favorites_count,
    created_at,
    version,
    review_reason: null,
    expires_at: null,
    featured_until: null,
    sold_at: null,
  }
}
