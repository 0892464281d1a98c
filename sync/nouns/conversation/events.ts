import type { EphemeralHandler, EventHandler } from '../../noun.ts'
import { TYPING_SHOWN_MS } from '#schema/limits'
import { idOf, members, text } from '../tolerant.ts'
import { readConversation, readMessage, upsertConversations, upsertMessages } from './documents.ts'
import { conversationsNeed } from './questions.ts'

/** [S4.12] */
const created: EventHandler = async (event, frame, tools) => {
  const message = readMessage(frame['message'])
  const conversation = readConversation(frame['conversation'])
  if (conversation) await upsertConversations(tools, [conversation])
  if (message) {
    await upsertMessages(tools, [message])
    tools.ephemeral.clear(typingIn(message.conversation))
  }
  if (!message || !conversation) tools.scheduleRefetch(conversationsNeed)
  const isOwn = message?.sender_id === tools.currentUser().me
  return { notified: isOwn ? null : (event.id ?? event.event_id) }
}

const updated: EventHandler = async (_event, frame, tools) => {
  const conversation = readConversation(frame['conversation'])
  if (conversation) await upsertConversations(tools, [conversation])
  else tools.scheduleRefetch(conversationsNeed)
}

const typing: EphemeralHandler = (frame, { ephemeral, currentUser }) => {
  const conversation = idOf(frame['conversation'])
  const from = members(frame['from_user'])
  if (conversation === null || idOf(from['id']) === currentUser().me) return
  if (frame['active'] === true)
    ephemeral.set(typingIn(conversation), text(from['username']) ?? '', TYPING_SHOWN_MS)
  else ephemeral.clear(typingIn(conversation))
}

function typingIn(conversation: string) {
  return `typing:${conversation}`
}

export const messageEvents = {
  'message.created': created,
  'conversation.updated': updated,
}
export const messageEphemeral = { typing }
