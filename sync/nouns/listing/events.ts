import type { EventHandler } from '../../noun.ts'

/** The status of an own listing changed: refetch it before the owner opens it. */
const changed: EventHandler = async ({ listing_id: id }, _frame, tools) => {
  tools.refetchQuestion('listings.mine', { status: 'all' })
  if (id !== null) tools.refetchQuestion('listing.detail', { id })
}

export const listingEvents: Readonly<Record<string, EventHandler>> = {
  'listing.reviewed': changed,
  'listing.published': changed,
}
