import type { ListingDocument, Tools } from '../../noun.ts'
import { amount, idOf, members, moment, msOf, text } from '../tolerant.ts'
import { readListing } from '#schema/listingDocument'

export { readListing }

/** [API 1.4] */
export const NOT_FOUND = 'listing_not_found'

export function isListed({ status }: ListingDocument) {
  return status === 'active' || status === 'reserved'
}

export function isOpen(listing: ListingDocument) {
  return isListed(listing) || listing.status === 'sold'
}

export async function upsertListings(
  { store, currentUser }: Tools,
  listings: readonly ListingDocument[],
) {
  const { me } = currentUser()
  const named = await straightened(listings)
  await store.listings.put(named.filter(isOpen).map(withoutPrivate), newer)
  await store.ownListings.put(
    named.filter((one) => me !== '' && one.seller_id === me).map((one) => ownOf(one, {})),
    (stored, incoming) => {
      const client_id = incoming.client_id ?? stored.client_id
      return newer(stored, { ...incoming, contacts_total: stored.contacts_total, client_id })
    },
  )
}

export async function storeListing(tools: Tools, body: unknown) {
  const listing = readListing(body, tools.now())
  if (listing) await upsertListings(tools, [listing])
}

export function isNamed(body: unknown, id: string) {
  return idOf(members(body)['id']) === id
}

export function isListing(body: unknown, id: string) {
  return isNamed(body, id) && typeof members(body)['title'] === 'string'
}

/** [API 9.7, API 9.1] */
export function ownOf(listing: ListingDocument, body: unknown) {
  const { created_at, contacts_total, favorites_count, client_id, ...own } = members(body)
  const { more } = listing
  const created = moment(created_at) ?? more?.created_at ?? listing.posted_at ?? listing.updated_at
  return {
    ...listing,
    contacts_total: amount(contacts_total) ?? 0,
    favorites_total: amount(favorites_count) ?? more?.favorites_count ?? 0,
    client_id: text(client_id),
    version: amount(own['version']) ?? more?.version ?? 0,
    expires_at: moment(own['expires_at']) ?? more?.expires_at ?? null,
    review_reason: text(own['review_reason']) ?? more?.review_reason ?? null,
    newestMade: -msOf(created),
  }
}

/** A card keeps the stored detail; older answers that arrive late are ignored [API 3]. */
export function newer<D extends ListingDocument>(stored: D, incoming: D) {
  return incoming.updated_at < stored.updated_at
    ? stored
    : { ...incoming, more: incoming.more ?? stored.more }
}

function withoutPrivate(listing: ListingDocument) {
  const none = { contact_phone: null, review_reason: null, expires_at: null, featured_until: null }
  return { ...listing, more: listing.more && { ...listing.more, ...none } }
}

/** Simpler servers send names of categories and places [API 19]. */
async function straightened(listings: readonly ListingDocument[]) {
  const slug = /^[a-z0-9-]*$/
  const isPlain = ({ category, region, town }: ListingDocument) =>
    [category, region, town ?? ''].every((name) => slug.test(name))
  if (listings.every(isPlain)) return listings
  const { straighten } = await import('./straighten.ts')
  return listings.map(straighten)
}
