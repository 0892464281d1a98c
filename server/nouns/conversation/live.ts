import type { ConversationReads } from '../../live/context.ts'
import { messagesAt } from '../message/queries.ts'
import { peerToTell } from './queries.ts'
import { keyOf, readConversations } from './view.ts'

export const conversationReads: ConversationReads = {
  async conversations(db, seen, now) {
    const found = await readConversations(db, seen, now)
    return (reader, conversation) => found.get(keyOf({ reader, conversation }))
  },
  messages: messagesAt,
  peer: peerToTell,
}
