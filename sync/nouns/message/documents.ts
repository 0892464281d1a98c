import type { MessageDocument } from '#schema/disk/documents'
import type { MessageContent } from '#schema/port/command'
import { attachment, type Message, message } from '#schema/wire/message'
import type { CurrentUser, QueuedCommand, Tools } from '../../noun.ts'
import { fill, idOf, members, msOf, parsed, text } from '../tolerant.ts'

/** Greater than any order of the server: pending messages sort last, in the order of writing. */
export const PENDING = 1e12

export function readMessage(body: unknown): Message | null {
  const { id, conversation, content, sender_id, sender, attachment: picture } = members(body)
  if (idOf(id) === null || idOf(conversation) === null || text(content) === null) return null
  return fill(message.entries, body, {
    sender_id: idOf(sender_id ?? sender) ?? '',
    attachment: parsed(attachment, picture),
  })
}

export function documentOf(sent: Message, as?: string): MessageDocument {
  // Without `seq`: the time in hundredths of a second, below `PENDING`.
  const order = sent.seq > 0 ? sent.seq : Math.floor(msOf(sent.created_at) / 10)
  return {
    ...sent,
    id: as ?? sent.client_id ?? sent.id,
    serverId: sent.id,
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
    ...fill(message.entries, null, {
      id,
      conversation,
      client_id: id,
      content,
      sender_username: username,
      sender_id: me,
      reply_to_id: replyTo ?? null,
      created_at: new Date(createdAt).toISOString(),
    }),
    serverId: '',
    order,
    newest: -order,
    ...(photo && { photo: photo.id }),
    state,
  }
}

export async function upsertMessages(
  { store, currentUser, echoed }: Tools,
  messages: readonly Message[],
) {
  const { me } = currentUser()
  const documents = await Promise.all(
    messages.map(async (one) => {
      // Without a client id: its original is found by the server's id.
      const nameless = one.client_id === null && one.sender_id === me
      return documentOf(one, nameless ? await knownAs(store, one) : undefined)
    }),
  )
  await store.messages.put(documents)
  for (const one of messages)
    if (one.client_id !== null && one.sender_id === me)
      // oxlint-disable-next-line no-await-in-loop -- usually there is none
      await echoed(one.client_id, one)
}

async function knownAs(store: Tools['store'], sent: Message) {
  const { conversation, order } = documentOf(sent)
  const stored = await store.messages
    .find({ selector: { conversation, order }, sort: [{ order: 'asc' }] })
    .exec()
  return stored.find(({ serverId }) => serverId === sent.id)?.id
}

/** Shows a waiting or parked message, in the conversation that is returned. */
export async function storeQueued(
  { store, currentUser }: Tools,
  queued: QueuedCommand<MessageContent>,
  conversation: string,
  state: 'queued' | 'refused',
) {
  // It may have been linked to the server's.
  const shownIn = (await store.conversations.findOne(conversation).exec())?.movedTo ?? conversation
  await store.messages.put(
    [waitingDocument(queued, currentUser(), shownIn, state)],
    (stored, incoming) => (stored.serverId === '' ? incoming : stored),
  )
  return shownIn
}

export async function storeSent(
  tools: Tools,
  { id, payload }: QueuedCommand<MessageContent>,
  sent: Message,
) {
  const { messages, conversations } = tools.store
  await messages.put([documentOf(sent, id)])
  if (sent.client_id === null) await messages.remove([sent.id])
  // Until the server sends the conversation.
  await conversations.change(sent.conversation, (stored) =>
    (stored.last_message?.seq ?? 0) < sent.seq ? { ...stored, last_message: sent } : null,
  )
  await forgetPhoto(tools, payload)
}

export async function storeRemoved(tools: Tools, { id, payload }: QueuedCommand<MessageContent>) {
  const stored = await tools.store.messages.findOne(id).exec()
  if (stored?.serverId === '') await tools.store.messages.remove([id])
  await forgetPhoto(tools, payload)
}

async function forgetPhoto({ drafts }: Tools, { photo }: MessageContent) {
  if (photo) await (await drafts()).removePhoto(photo.id)
}
