import * as v from 'valibot'
import { call, personal } from './call.ts'
import { listingCard, listingStatus } from './listing.ts'
import { message, messageContent, seq } from './message.ts'
import {
  clientId,
  count,
  id,
  image,
  localizedText,
  moment,
  paged,
  pages,
  sellerMini,
} from './shapes.ts'

/** [API 4.7] */
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

/** [API 11.1]: 201 when it is new. */
export const startConversation = call('conversation.start', 'POST', 'conversations/start/', {
  body: v.object({
    listing_id: v.string(),
    content: v.optional(messageContent),
    client_id: clientId,
  }),
  answer: v.object({ ...conversation.entries, message: v.optional(message) }),
  status: 201,
})

/** [API 11.2]; `unread_total`: of all conversations. */
export const listConversations = call('conversation.list', 'GET', 'conversations/', {
  ...personal,
  query: v.object({
    ...pages,
    search: v.optional(v.string()),
    updated_after: v.optional(v.string()),
  }),
  answer: v.object({ ...paged(conversation).entries, unread_total: count }),
})

/** [API 11.3] */
export const readConversation = call('conversation.read', 'GET', 'conversations/{id}/', {
  ...personal,
  answer: conversation,
})

export const initConversation = call('conversation.init', 'GET', 'conversations/{id}/init/', {
  ...personal,
  answer: v.object({
    conversation,
    messages: v.object({ next: v.nullable(v.string()), results: v.array(message) }),
    listing: v.nullable(listingCard),
    quick_messages: v.array(localizedText),
  }),
})

/** [API 11.6]: `up_to` is the newest `seq` that was shown. */
export const markConversationRead = call(
  'conversation.markRead',
  'POST',
  'conversations/{id}/mark-read/',
  {
    body: v.object({ up_to: v.nullish(seq) }),
    answer: v.object({
      conversation: id,
      my_read_until: count,
      unread_count: count,
      unread_total: count,
    }),
  },
)
