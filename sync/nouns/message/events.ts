import type { Pass, Receive } from '../../noun.ts'
import { TYPING_SHOWN_MS } from '#schema/limits'
import { keepConversations } from '../conversation/keep.ts'
import { conversationsNeed } from '../conversation/need.ts'
import { readConversation } from '../conversation/read.ts'
import { idOf, members, text } from '../plainer.ts'
import { keepMessages } from './keep.ts'
import { readMessage } from './read.ts'

/** [S4.12]: the frame holds the whole message and conversation; where one is missing, the list is read again. */
const created: Receive = async (event, frame, tools) => {
  const message = readMessage(frame['message'])
  const conversation = readConversation(frame['conversation'])
  if (conversation) await keepConversations(tools, [conversation])
  if (message) {
    await keepMessages(tools, [message])
    // Who wrote has stopped typing.
    tools.passing.clear(typingIn(message.conversation))
  }
  if (!message || !conversation) tools.refresh(conversationsNeed)
  return { notified: message !== null && message.sender_id === tools.who().me ? null : (event.id ?? event.event_id) }
}

const updated: Receive = async (_event, frame, tools) => {
  const conversation = readConversation(frame['conversation'])
  if (conversation) await keepConversations(tools, [conversation])
  else tools.refresh(conversationsNeed)
}

const typing: Pass = (frame, { passing, who }) => {
  const conversation = idOf(frame['conversation'])
  const from = members(frame['from_user'])
  if (conversation === null || idOf(from['id']) === who().me) return
  if (frame['active'] === true) passing.set(typingIn(conversation), text(from['username']) ?? '', TYPING_SHOWN_MS)
  else passing.clear(typingIn(conversation))
}

export function typingIn(conversation: string): string {
  return `typing:${conversation}`
}

export const messageEvents: Readonly<Record<string, Receive>> = { 'message.created': created, 'conversation.updated': updated }
export const messagePasses: Readonly<Record<string, Pass>> = { typing }
