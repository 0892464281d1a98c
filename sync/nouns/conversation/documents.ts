import type { ConversationDocument } from '#schema/disk/documents'
import { localId } from '#schema/localConversation'
import type { MessageContent } from '#schema/port/command'
import { type Conversation, conversation } from '#schema/wire/conversation'
import { listingStatus } from '#schema/wire/listing'
import type { QueuedCommand, Tools } from '../../noun.ts'
import { readMessage, upsertMessages } from '../message/documents.ts'
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
} from '../tolerant.ts'

const {
  listing: { entries: listingEntries },
} = conversation.entries

export function readConversation(body: unknown): Conversation | null {
  const object = members(body)
  const { participants } = object
  if (idOf(object['id']) === null || !Array.isArray(participants)) return null
  const listing = members(object['listing'])
  const last = readMessage(object['last_message'])
  const created_at = moment(object['created_at']) ?? last?.created_at ?? EPOCH
  return fill(conversation.entries, body, {
    listing: fill(listingEntries, listing, {
      id: idOf(object['listing']) ?? '',
      price: amount(listing['price']) || null,
      image: image(listing['image']),
      status: parsed(listingStatus, listing['status']) ?? 'active',
      seller_id: idOf(listing['seller_id'] ?? listing['seller']) ?? '',
    }),
    participants: participants.map(seller),
    last_message: last,
    last_seq: amount(object['last_seq']) ?? last?.seq ?? 0,
    can_send: flag(object['can_send']) ?? true,
    created_at,
    updated_at: moment(object['updated_at']) ?? last?.created_at ?? created_at,
  })
}

function documentOf(one: Conversation) {
  return {
    ...one,
    newest: -msOf(one.last_message?.created_at ?? one.created_at),
    movedTo: null,
  }
}

/** Stores conversations of the server and their last messages [S4.12]. */
export async function upsertConversations(tools: Tools, conversations: readonly Conversation[]) {
  await tools.store.conversations.put(conversations.map(documentOf), newer)
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
  { createdAt }: QueuedCommand<MessageContent>,
  listing: string,
) {
  const { me, username } = currentUser()
  const about = await store.listings.findOne(listing).exec()
  const at = new Date(createdAt).toISOString()
  const started = fill(conversation.entries, null, {
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
  await store.conversations.put([documentOf(started)], (stored) => stored)
}

/** Links a local conversation to the server's and moves its messages. */
export async function storeRenamed({ store }: Tools, listing: string, serverId: string) {
  const from = localId(listing)
  const left = await store.messages
    .find({ selector: { conversation: from }, sort: [{ order: 'asc' }] })
    .exec()
  await store.messages.put(left.map((message) => ({ ...message, conversation: serverId })))
  await store.conversations.change(from, (started) => ({ ...started, movedTo: serverId }))
}

export async function dropIfEmpty({ store }: Tools, id: string) {
  const stored = await store.conversations.findOne(id).exec()
  if (stored === null || stored.movedTo !== null) return
  const [message] = await store.messages
    .find({ selector: { conversation: id }, sort: [{ order: 'asc' }], limit: 1 })
    .exec()
  if (!message) await store.conversations.remove([id])
}
