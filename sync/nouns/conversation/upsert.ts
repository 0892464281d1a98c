import type { ConversationDocument } from '#schema/disk/documents'
import type { MessageContent } from '#schema/port/command'
import type { Conversation } from '#schema/wire/conversation'
import type { QueuedCommand, Tools } from '../../noun.ts'
import { upsertMessages } from '../message/upsert.ts'
import { documentOf, localId } from './read.ts'

/** Writes conversations of the server down, and their last messages, so that an echo meets its original [S4.12]. */
export async function upsertConversations(
  tools: Tools,
  conversations: readonly Conversation[],
): Promise<void> {
  await tools.store.put('conversations', conversations.map(documentOf), newer)
  await meetBegun(tools, conversations)
  await upsertMessages(
    tools,
    conversations.flatMap(({ last_message }) => last_message ?? []),
  )
}

/** One that began here, and whose answer is still on its way or lost: its messages stand where the server's news of it are. */
async function meetBegun(tools: Tools, conversations: readonly Conversation[]): Promise<void> {
  const real = new Map(conversations.map(({ id, listing }) => [localId(listing.id), id]))
  for (const { id, movedTo, listing } of await tools.store.many('conversations', [
    ...real.keys(),
  ])) {
    const made = real.get(id)
    if (movedTo === null && made !== undefined && made !== id)
      await storeRenamed(tools, listing.id, made)
  }
}

/** An older answer that comes late is no news [API 3]; read positions only move forward. */
export function newer(
  here: ConversationDocument,
  coming: ConversationDocument,
): ConversationDocument {
  const [old, fresh] = coming.updated_at < here.updated_at ? [coming, here] : [here, coming]
  return read(
    {
      ...fresh,
      movedTo: here.movedTo,
      peer_read_until: Math.max(old.peer_read_until, fresh.peer_read_until),
    },
    old.my_read_until,
  )
}

/** Read up to there: what came after it stays unread. */
export function read(conversation: ConversationDocument, upTo: number): ConversationDocument {
  if (upTo <= conversation.my_read_until) return conversation
  const left = Math.max(0, conversation.last_seq - upTo)
  return {
    ...conversation,
    my_read_until: upTo,
    unread_count: Math.min(conversation.unread_count, left),
  }
}

/** The conversation that begins with a message that waits. */
export async function storePending(
  tools: Tools,
  queued: QueuedCommand<MessageContent>,
  listing: string,
): Promise<void> {
  const { store, currentUser } = tools
  const { me, username } = currentUser()
  const about = await store.one('listings', listing)
  const at = new Date(queued.createdAt).toISOString()
  const begun: ConversationDocument = {
    id: localId(listing),
    listing: {
      id: listing,
      title: about?.title ?? '',
      price: about?.price ?? null,
      currency: 'XOF',
      image: about?.cover ?? null,
      status: about?.status ?? 'active',
      seller_id: about?.seller_id ?? '',
    },
    participants: [
      ...(about ? [about.seller] : []),
      {
        id: me,
        username,
        shop_name: null,
        slug: null,
        avatar: null,
        verified_seller: false,
        deleted: false,
      },
    ],
    unread_count: 0,
    last_message: null,
    last_seq: 0,
    my_read_until: 0,
    peer_read_until: 0,
    can_send: true,
    cannot_send_reason: null,
    created_at: at,
    updated_at: at,
    newest: -queued.createdAt,
    movedTo: null,
  }
  await store.put('conversations', [begun], (here) => here)
}

/** The server has made it: the phone's own name points there, and takes its messages along. */
export async function storeRenamed(
  { store }: Tools,
  listing: string,
  conversation: string,
): Promise<void> {
  const from = localId(listing)
  const left = await store.find('messages', {
    index: ['conversation', 'order'],
    equals: { conversation: from },
  })
  await store.put(
    'messages',
    left.map((message) => ({ ...message, conversation })),
  )
  await store.change('conversations', from, (begun) => ({ ...begun, movedTo: conversation }))
}

/** Its first message was taken away, and nothing else was written. */
export async function dropIfEmpty({ store }: Tools, id: string): Promise<void> {
  const here = await store.one('conversations', id)
  if (here === null || here.movedTo !== null) return
  const [message] = await store.find('messages', {
    index: ['conversation', 'order'],
    equals: { conversation: id },
    limit: 1,
  })
  if (!message) await store.remove('conversations', [id])
}
