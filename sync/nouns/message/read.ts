import type { MessageDocument } from '#schema/disk/documents'
import type { MessageContent } from '#schema/port/command'
import { attachment, type Message, message } from '#schema/wire/message'
import * as v from 'valibot'
import type { QueuedCommand, CurrentUser } from '../../noun.ts'
import { fill, idOf, members, msOf, text } from '../tolerant.ts'

/** Greater than any order of the server: pending messages sort last, in the order of writing. */
export const PENDING = 1e12

export function readMessage(body: unknown): Message | null {
  const { id, conversation, content, sender_id, sender, attachment: picture } = members(body)
  if (idOf(id) === null || idOf(conversation) === null || text(content) === null) return null
  return fill(message.entries, body, {
    sender_id: idOf(sender_id ?? sender) ?? '',
    attachment: v.is(attachment, picture) ? picture : null,
  })
}

/** `as`: its existing local id. */
export function documentOf(sent: Message, as?: string): MessageDocument {
  const { id, ...rest } = sent
  // Without `seq`, the order is the time in hundredths of a second, which is below `PENDING`.
  const order = sent.seq > 0 ? sent.seq : Math.floor(msOf(sent.created_at) / 10)
  return {
    ...rest,
    id: as ?? sent.client_id ?? id,
    serverId: id,
    order,
    newest: -order,
    state: 'sent',
  }
}

export function waitingDocument(
  { id, sequence, createdAt, payload: { content, photo, replyTo } }: QueuedCommand<MessageContent>,
  { me, username }: CurrentUser,
  conversation: string,
  state: MessageDocument['state'],
): MessageDocument {
  const order = PENDING + sequence
  return {
    id,
    serverId: '',
    conversation,
    seq: 0,
    client_id: id,
    content,
    sender_username: username,
    sender_id: me,
    attachment: null,
    reply_to_id: replyTo ?? null,
    created_at: new Date(createdAt).toISOString(),
    order,
    newest: -order,
    ...(photo && { photo: photo.id }),
    state,
  }
}
