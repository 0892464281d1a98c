import { contactSeller } from '#schema/wire/listing'
import type { RequestRules } from '../../noun.ts'
import { idOf, members, text } from '../tolerant.ts'
import { upsertListings } from './upsert.ts'
import { readListing } from '#schema/listingDocument'

export const listingRequests: RequestRules = {
  /** Documents embedded in a page. */
  'listings.given': async ({ rows, at }, tools) => {
    const listings = rows.flatMap((row) => {
      const more = members(row['more'])
      const body = { ...row, ...more, images: more['images'] ?? [row['cover']] }
      const listing = readListing(body, at)
      return listing ? [{ ...listing, openedAt: listing.more ? at : 0 }] : []
    })
    await upsertListings(tools, listings)
    return { kind: 'done', answer: null }
  },
  'listing.phone': ({ listing, channel }, { http }) =>
    http.call(contactSeller, { params: { id: listing }, body: { channel } }, (body) =>
      idOf(members(body)['listing_id']) === listing
        ? { phone: text(members(body)['contact_phone']) }
        : null,
    ),
}
