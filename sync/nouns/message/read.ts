import type { MessageDocument } from '#schema/disk/documents'
import type { MessageContent } from '#schema/port/command'
import { attachment, type Message } from '#schema/wire/message'
import * as v from 'valibot'
import type { QueuedCommand, CurrentUser } from '../../noun.ts'
import { amount, EPOCH, idOf, members, moment, msOf, text } from '../tolerant.ts'

/** Greater than any order of the server: pending messages sort last, in the order of writing. */
export const PENDING = 1e12

export function readMessage(body: unknown): Message | null {
  const object = members(body)
  const id = idOf(object['id'])
  const conversation = idOf(object['conversation'])
  const content = text(object['content'])
  if (id === null || conversation === null || content === null) return null
  const picture = v.safeParse(attachment, object['attachment'])
  return {
    id,
    conversation,
    seq: amount(object['seq']) ?? 0,
    client_id: text(object['client_id']),
    content,
    sender_username: text(object['sender_username']) ?? '',
    sender_id: idOf(object['sender_id'] ?? object['sender']) ?? '',
    attachment: picture.success ? picture.output : null,
    created_at: moment(object['created_at']) ?? EPOCH,
  }
}

/** `as`: its existing local id. */
export function documentOf(message: Message, as?: string): MessageDocument {
  const { id, ...rest } = message
  // Without `seq`, the order is the time in hundredths of a second, which is below `PENDING`.
  const order = message.seq > 0 ? message.seq : Math.floor(msOf(message.created_at) / 10)
  return {
    ...rest,
    id: as ?? message.client_id ?? id,
    serverId: id,
    order,
    newest: -order,
    state: 'sent',
  }
}

export function waitingDocument(
  { id, sequence, createdAt, payload: { content, photo } }: QueuedCommand<MessageContent>,
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
    created_at: new Date(createdAt).toISOString(),
    order,
    newest: -order,
    ...(photo && { photo: photo.id }),
    state,
  }
}
