import type { MessageContent } from '#schema/port/command'
import type { Message } from '#schema/wire/message'
import type { QueuedCommand, Tools } from '../../noun.ts'
import { documentOf, waitingDocument } from './read.ts'

/** Stores messages of the server; each replaces its optimistic original by id. */
export async function upsertMessages(
  { store, currentUser, echoed }: Tools,
  messages: readonly Message[],
): Promise<void> {
  const { me } = currentUser()
  const documents = await Promise.all(
    messages.map(async (message) => {
      // The server echoed no client id: find the original by the server's id.
      const nameless = message.client_id === null && message.sender_id === me
      return documentOf(message, nameless ? await knownAs(store, message) : undefined)
    }),
  )
  await store.messages.put(documents)
  for (const message of messages)
    if (message.client_id !== null && message.sender_id === me)
      // oxlint-disable-next-line no-await-in-loop -- usually there is none
      await echoed(message.client_id, message)
}

async function knownAs(store: Tools['store'], message: Message): Promise<string | undefined> {
  const { order } = documentOf(message)
  const stored = await store.messages
    .find({
      selector: { conversation: message.conversation, order },
      sort: [{ order: 'asc' }],
    })
    .exec()
  return stored.find((one) => one.serverId === message.id)?.id
}

/** Shows a waiting or parked message; a message that the server already has is left unchanged. */
export async function storeQueued(
  { store, currentUser }: Tools,
  queued: QueuedCommand<MessageContent>,
  conversation: string,
  state: 'queued' | 'refused',
): Promise<void> {
  await store.messages.put(
    [waitingDocument(queued, currentUser(), conversation, state)],
    (stored, incoming) => (stored.serverId === '' ? incoming : stored),
  )
}

/**
 * Stores the answer to a waiting message, and removes a copy that an event without client id
 * created.
 */
export async function storeSent(
  tools: Tools,
  { id, payload }: QueuedCommand<MessageContent>,
  message: Message,
): Promise<void> {
  await tools.store.messages.put([documentOf(message, id)])
  if (message.client_id === null) await tools.store.messages.remove([message.id])
  // Show it as the last message until the server sends the conversation.
  await tools.store.conversations.change(message.conversation, (stored) =>
    (stored.last_message?.seq ?? 0) < message.seq ? { ...stored, last_message: message } : null,
  )
  await forgetPhoto(tools, payload)
}

export async function storeRemoved(
  tools: Tools,
  { id, payload }: QueuedCommand<MessageContent>,
): Promise<void> {
  const stored = await tools.store.messages.findOne(id).exec()
  if (stored?.serverId === '') await tools.store.messages.remove([id])
  await forgetPhoto(tools, payload)
}

async function forgetPhoto(tools: Tools, { photo }: MessageContent): Promise<void> {
  if (photo) await (await tools.drafts()).removePhoto(photo.id)
}
