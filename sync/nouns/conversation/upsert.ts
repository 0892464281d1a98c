import type { ConversationDocument } from '#schema/disk/documents'
import { localId } from '#schema/localConversation'
import type { MessageContent } from '#schema/port/command'
import { conversation, type Conversation } from '#schema/wire/conversation'
import type { QueuedCommand, Tools } from '../../noun.ts'
import { upsertMessages } from '../message/upsert.ts'
import { fill, seller } from '../tolerant.ts'
import { documentOf } from './read.ts'

/**
 * Stores conversations of the server and their last messages, which replace their optimistic
 * originals [S4.12].
 */
export async function upsertConversations(
  tools: Tools,
  conversations: readonly Conversation[],
): Promise<void> {
  await tools.store.conversations.put(conversations.map(documentOf), newer)
  await linkStarted(tools, conversations)
  await upsertMessages(
    tools,
    conversations.flatMap(({ last_message }) => last_message ?? []),
  )
}

/**
 * A locally started conversation may arrive here before its answer does: links it and moves its
 * messages.
 */
async function linkStarted(tools: Tools, conversations: readonly Conversation[]): Promise<void> {
  const server = new Map(conversations.map(({ id, listing }) => [localId(listing.id), id]))
  const started = await tools.store.conversations.findByIds([...server.keys()]).exec()
  for (const { id, movedTo, listing } of started.values()) {
    const serverId = server.get(id)
    if (movedTo === null && serverId !== undefined && serverId !== id)
      await storeRenamed(tools, listing.id, serverId)
  }
}

/** Ignores older answers that arrive late [API 3]; read positions only increase. */
export function newer(
  stored: ConversationDocument,
  incoming: ConversationDocument,
): ConversationDocument {
  const [old, fresh] =
    incoming.updated_at < stored.updated_at ? [incoming, stored] : [stored, incoming]
  return read(
    {
      ...fresh,
      movedTo: stored.movedTo,
      peer_read_until: Math.max(old.peer_read_until, fresh.peer_read_until),
    },
    old.my_read_until,
  )
}

export function read(conversation: ConversationDocument, upTo: number): ConversationDocument {
  if (upTo <= conversation.my_read_until) return conversation
  const left = Math.max(0, conversation.last_seq - upTo)
  return {
    ...conversation,
    my_read_until: upTo,
    unread_count: Math.min(conversation.unread_count, left),
  }
}

export async function storePending(
  tools: Tools,
  { createdAt }: QueuedCommand<MessageContent>,
  listing: string,
): Promise<void> {
  const { store, currentUser } = tools
  const { me, username } = currentUser()
  const about = await store.listings.findOne(listing).exec()
  const at = new Date(createdAt).toISOString()
  const started = fill(conversation.entries, null, {
    id: localId(listing),
    listing: fill(conversation.entries.listing.entries, about, {
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

/** The server created the conversation: links the local one to it and moves its messages. */
export async function storeRenamed(
  { store }: Tools,
  listing: string,
  conversation: string,
): Promise<void> {
  const from = localId(listing)
  const left = await store.messages
    .find({ selector: { conversation: from }, sort: [{ order: 'asc' }] })
    .exec()
  await store.messages.put(left.map((message) => ({ ...message, conversation })))
  await store.conversations.change(from, (started) => ({ ...started, movedTo: conversation }))
}

export async function dropIfEmpty({ store }: Tools, id: string): Promise<void> {
  const stored = await store.conversations.findOne(id).exec()
  if (stored === null || stored.movedTo !== null) return
  const [message] = await store.messages
    .find({ selector: { conversation: id }, sort: [{ order: 'asc' }], limit: 1 })
    .exec()
  if (!message) await store.conversations.remove([id])
}
