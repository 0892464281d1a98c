import { contactSeller } from '#schema/wire/listing'
import type { RequestRules } from '../../noun.ts'
import { idOf, members, text } from '../plainer.ts'

export const listingRequests: RequestRules = {
  'listing.phone': async ({ listing, channel }, { net }) => {
    const reply = await net.call(contactSeller, { params: { id: listing }, body: { channel } }, (body) =>
      idOf(members(body)['listing_id']) === listing ? { phone: text(members(body)['contact_phone']) } : null,
    )
    return reply.kind === 'unchanged' ? { kind: 'later', why: 'server', retryAfterMs: null, reached: true } : reply
  },
}
