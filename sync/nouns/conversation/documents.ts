import { listingOfLocal, localId } from '#schema/localConversation'
import { type Conversation, conversation as conversationShape } from '#schema/wire/conversation'
import { listingStatus } from '#schema/wire/listing'
import { attachment, type Message, message as messageShape } from '#schema/wire/message'
import type {
  ConversationDocument,
  CurrentUser,
  MessageContent,
  MessageDocument,
  QueuedCommand,
  Tools,
} from '../../noun.ts'
import {
  amount,
  EPOCH,
  fill,
  flag,
  idOf,
  image,
  members,
  moment,
  msOf,
  parsed,
  seller,
  text,
} from '../tolerant.ts'

/** Greater than any order of the server: pending messages sort last, in the order of writing. */
export const PENDING = 1e12

export function readMessage(body: unknown) {
  const { id, conversation, content, sender_id, sender, attachment: picture } = members(body)
  if (idOf(id) === null || idOf(conversation) === null || text(content) === null) return null
  return fill(messageShape.entries, body, {
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

export type Queued = QueuedCommand<MessageContent>

export function waitingDocument(
  { id, sequence, createdAt, payload: { content, photo, replyTo } }: Queued,
  { me, username }: CurrentUser,
  conversation: string,
  state: MessageDocument['state'],
) {
  const order = PENDING + sequence
  return {
    ...fill(messageShape.entries, null, {
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
  const { conversation, newest } = documentOf(sent)
  const stored = await store.messages.find({ selector: { conversation, newest } }).exec()
  return stored.find(({ serverId }) => serverId === sent.id)?.id
}

export async function storeQueued(
  tools: Tools,
  queued: Queued,
  conversation: string,
  state: 'queued' | 'refused',
) {
  const { store, currentUser } = tools
  const listing = listingOfLocal(conversation)
  if (listing !== null) await storePending(tools, queued, listing)
  const shownIn = (await store.conversations.findOne(conversation).exec())?.movedTo ?? conversation
  await store.messages.put(
    [waitingDocument(queued, currentUser(), shownIn, state)],
    (stored, incoming) => (stored.serverId === '' ? incoming : stored),
  )
  return shownIn
}

export async function storeSent(tools: Tools, { id, payload }: Queued, sent: Message) {
  const { messages, conversations } = tools.store
  await messages.put([documentOf(sent, id)])
  if (sent.client_id === null) await messages.remove([sent.id])
  // Until the server sends the conversation.
  await conversations.change(sent.conversation, (stored) =>
    (stored.last_message?.seq ?? 0) < sent.seq ? { ...stored, last_message: sent } : null,
  )
  await forgetPhoto(tools, payload)
}

export async function storeRemoved(tools: Tools, { id, payload }: Queued) {
  const stored = await tools.store.messages.findOne(id).exec()
  if (stored?.serverId === '') await tools.store.messages.remove([id])
  await forgetPhoto(tools, payload)
}

async function forgetPhoto({ drafts }: Tools, { photo }: MessageContent) {
  if (photo) await (await drafts()).removePhoto(photo.id)
}

const {
  listing: { entries: listingEntries },
} = conversationShape.entries

export function readConversation(body: unknown) {
  const { id, listing, participants, last_message, last_seq, can_send, ...times } = members(body)
  if (idOf(id) === null || !Array.isArray(participants)) return null
  const { price, image: picture, status, seller_id, seller: by } = members(listing)
  const last = readMessage(last_message)
  const created_at = moment(times['created_at']) ?? last?.created_at ?? EPOCH
  return fill(conversationShape.entries, body, {
    listing: fill(listingEntries, listing, {
      id: idOf(listing) ?? '',
      price: amount(price) || null,
      image: image(picture),
      status: parsed(listingStatus, status) ?? 'active',
      seller_id: idOf(seller_id ?? by) ?? '',
    }),
    participants: participants.map(seller),
    last_message: last,
    last_seq: amount(last_seq) ?? last?.seq ?? 0,
    can_send: flag(can_send) ?? true,
    created_at,
    updated_at: moment(times['updated_at']) ?? last?.created_at ?? created_at,
  })
}

function conversationDocument(one: Conversation) {
  return {
    ...one,
    newest: -msOf(one.last_message?.created_at ?? one.created_at),
    movedTo: null,
  }
}

/** [S4.12] */
export async function upsertConversations(tools: Tools, conversations: readonly Conversation[]) {
  await tools.store.conversations.put(conversations.map(conversationDocument), newer)
  await linkStarted(tools, conversations)
  await upsertMessages(
    tools,
    conversations.flatMap(({ last_message }) => last_message ?? []),
  )
}

/** A conversation that was started here may arrive before the answer to its start does. */
async function linkStarted(tools: Tools, conversations: readonly Conversation[]) {
  const server = new Map(conversations.map(({ id, listing }) => [localId(listing.id), id]))
  const started = await tools.store.conversations.findByIds([...server.keys()]).exec()
  for (const { id, movedTo, listing } of started.values()) {
    const serverId = server.get(id)
    if (movedTo === null && serverId !== undefined && serverId !== id)
      await storeRenamed(tools, listing.id, serverId)
  }
}

/** Ignores older answers that arrive late [API 3]; read positions only increase. */
function newer(stored: ConversationDocument, incoming: ConversationDocument) {
  const [old, fresh] =
    incoming.updated_at < stored.updated_at ? [incoming, stored] : [stored, incoming]
  const peer_read_until = Math.max(old.peer_read_until, fresh.peer_read_until)
  return read({ ...fresh, movedTo: stored.movedTo, peer_read_until }, old.my_read_until)
}

export function read(one: ConversationDocument, upTo: number) {
  if (upTo <= one.my_read_until) return one
  const left = Math.max(0, one.last_seq - upTo)
  return { ...one, my_read_until: upTo, unread_count: Math.min(one.unread_count, left) }
}

export async function storePending(
  { store, currentUser }: Tools,
  { createdAt }: Queued,
  listing: string,
) {
  const { me, username } = currentUser()
  const about = await store.listings.findOne(listing).exec()
  const at = new Date(createdAt).toISOString()
  const started = fill(conversationShape.entries, null, {
    id: localId(listing),
    listing: fill(listingEntries, about, {
      id: listing,
      image: about?.cover ?? null,
      status: about?.status ?? 'active',
    }),
    participants: [...(about ? [about.seller] : []), seller({ id: me, username })],
    can_send: true,
    created_at: at,
    updated_at: at,
  })
  await store.conversations.put([conversationDocument(started)], (stored) => stored)
}

export async function storeRenamed({ store }: Tools, listing: string, serverId: string) {
  const from = localId(listing)
  const left = await store.messages.find({ selector: { conversation: from } }).exec()
  await store.messages.put(left.map((message) => ({ ...message, conversation: serverId })))
  await store.conversations.change(from, (started) => ({ ...started, movedTo: serverId }))
}

export async function dropIfEmpty({ store }: Tools, id: string) {
  const stored = await store.conversations.findOne(id).exec()
  if (stored === null || stored.movedTo !== null || listingOfLocal(id) === null) return
  const [message] = await store.messages.find({ selector: { conversation: id }, limit: 1 }).exec()
  if (!message) await store.conversations.remove([id])
}
