import { contactSeller } from '#schema/wire/listing'
import type { RequestRules } from '../../noun.ts'
import { idOf, members, text } from '../tolerant.ts'
import { upsertListings } from './upsert.ts'
import { readListing } from '#schema/listingDocument'

export const listingRequests: RequestRules = {
  /** Documents embedded in a page. */
  'listings.given': async ({ rows, at }, tools) => {
    const listings = rows.map((row) =>
      readListing(
        {
          ...row,
          ...members(row['more']),
          images: members(row['more'])['images'] ?? [row['cover']],
        },
        at,
      ),
    )
    await upsertListings(
      tools,
      listings
        .filter((one) => one !== null)
        .map((one) => ({ ...one, openedAt: one.more ? at : 0 })),
    )
    return { kind: 'done', answer: null }
  },
  'listing.phone': ({ listing, channel }, { http }) =>
    http.call(contactSeller, { params: { id: listing }, body: { channel } }, (body) =>
      idOf(members(body)['listing_id']) === listing
        ? { phone: text(members(body)['contact_phone']) }
        : null,
    ),
}
