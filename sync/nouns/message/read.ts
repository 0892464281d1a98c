import type { MessageDocument } from '#schema/disk/documents'
import type { Message } from '#schema/wire/message'
import { amount, idOf, image, members, moment, msOf, text } from '../plainer.ts'

/** A message as the wire has it; null: none. `conversation` where the server leaves it out. */
export function readMessage(body: unknown, conversation?: string): Message | null {
  const object = members(body)
  const id = idOf(object['id'])
  const where = idOf(object['conversation']) ?? conversation ?? null
  if (id === null || where === null) return null
  const sender = members(object['sender'])
  const picture = image(object['attachment'])
  return {
    id,
    conversation: where,
    seq: amount(object['seq']) ?? 0,
    client_id: text(object['client_id']),
    content: text(object['content']) ?? '',
    sender_username: text(object['sender_username']) ?? text(sender['username']) ?? text(object['sender']) ?? '',
    sender_id: idOf(object['sender_id']) ?? idOf(object['sender']) ?? '',
    attachment: picture && { ...picture, type: 'image' },
    created_at: moment(object['created_at']) ?? '1970-01-01T00:00:00.000Z',
  }
}

/**
 * As the phone keeps it: under its client id where there is one, so that an echo meets its original. Without a `seq` the
 * time of a plainer server orders, in seconds, which stay below what waits (1e12).
 */
export function messageDocument(message: Message): MessageDocument {
  const order = message.seq > 0 ? message.seq : Math.floor(msOf(message.created_at) / 1000)
  return { ...message, id: message.client_id ?? message.id, serverId: message.id, order, newest: -order, state: 'sent' }
}
