import * as v from 'valibot'
import { count, id, image, moment, sellerMini } from './shapes.ts'
import { listingStatus } from './listing.ts'
import { message } from './message.ts'

/** API.md 4.7. */
export const conversation = v.object({
  id,
  listing: v.object({
    id,
    title: v.string(),
    price: v.nullable(count),
    currency: v.literal('XOF'),
    image: v.nullable(image),
    status: listingStatus,
    seller_id: id,
  }),
  participants: v.array(sellerMini),
  unread_count: count,
  last_message: v.nullable(message),
  last_seq: count,
  my_read_until: count,
  peer_read_until: count,
  can_send: v.boolean(),
  cannot_send_reason: v.nullable(v.picklist(['blocked_by_me', 'account_deleted', 'unavailable'])),
  created_at: moment,
  updated_at: moment,
})
export type Conversation = v.InferOutput<typeof conversation>
