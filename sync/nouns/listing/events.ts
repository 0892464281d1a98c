import type { Receive } from '../../noun.ts'

/** What became of an own listing is told before its owner looks: what the phone says of it must not be of before. */
const changed: Receive = async ({ listing_id: id }, _frame, tools) => {
  tools.renew('listings.mine', { status: 'all' })
  if (id !== null) tools.renew('listing.detail', { id })
}

export const listingEvents: Readonly<Record<string, Receive>> = { 'listing.reviewed': changed, 'listing.published': changed }
