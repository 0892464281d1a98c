import type { EventHandler } from '../../noun.ts'

/** What became of an own listing is told before its owner looks: what the phone says of it must not be of before. */
const changed: EventHandler = async ({ listing_id: id }, _frame, tools) => {
  tools.refetchQuestion('listings.mine', { status: 'all' })
  if (id !== null) tools.refetchQuestion('listing.detail', { id })
}

export const listingEvents: Readonly<Record<string, EventHandler>> = {
  'listing.reviewed': changed,
  'listing.published': changed,
}
