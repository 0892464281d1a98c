import { localId } from '#schema/localConversation'
import type { Payload } from '#schema/port/command'
import {
  type Conversation,
  listConversations,
  markConversationRead,
  startConversation,
} from '#schema/wire/conversation'
import type { Message } from '#schema/wire/message'
import type { CommandRule, CommandRules, QueuedCommand, Lookup, Tools } from '../../noun.ts'
import { collapseAll } from '../collapse.ts'
import { bytes, isOwn, newestOf, requestOf, sameText } from '../message/commands.ts'
import { storeRemoved, storeSent, storeQueued } from '../message/upsert.ts'
import { readMessage } from '../message/read.ts'
import { clean, amount, members, rowsOf } from '../tolerant.ts'
import { dropIfEmpty, storePending, upsertConversations, storeRenamed, read } from './upsert.ts'
import { readConversation } from './read.ts'

interface Started {
  /** null: the conversation exists already, and this is the answer to its first message. */
  readonly conversation: Conversation | null
  /** null: the server created only the conversation; the message must follow. */
  readonly message: Message | null
}

const start: CommandRule<Payload<'conversation.start'>, Started> = {
  lane: ({ listing }) => `conversation:${localId(listing)}`,
  after: ['conversation.start'],
  async refuseEarly({ listing }, { store, currentUser }) {
    const about = await store.one('listings', listing)
    return about !== null && about.seller_id === currentUser().me ? 'own_listing' : null
  },
  async resolveId({ listing }, { store }) {
    const stored = await store.conversations.find({ sort: [{ newest: 'asc' }] }).exec()
    const known = stored.find(
      (one) => one.listing.id === listing && one.movedTo === null && one.id !== localId(listing),
    )
    return known ? { kind: 'conversation', from: localId(listing), to: known.id } : null
  },
  bytes,
  apply: (queued, tools) => storeFirst(queued, tools, 'queued'),
  deliver({ id, payload }) {
    const { listing, content, photo, conversation } = payload
    if (conversation !== undefined) return requestOf(id, conversation, payload)
    // Each request needs its own key: a key belongs to one path and body [API 2].
    if (photo) return { call: startConversation, body: { listing_id: listing }, key: `${id}-start` }
    return {
      call: startConversation,
      body: { listing_id: listing, content: clean(content), client_id: id },
    }
  },
  answer(body, { payload }) {
    const isStart = payload.conversation === undefined
    const conversation = isStart ? readConversation(body) : null
    const message = readMessage(isStart ? members(body)['message'] : body)
    if (isStart ? conversation?.listing.id !== payload.listing : message === null) return null
    return message === null || sameText(message.content, payload.content)
      ? { conversation, message }
      : null
  },
  lookup({ owner, payload: { listing, content, photo, conversation } }) {
    if (conversation !== undefined) return newestOf(conversation, owner, content)
    // Starting without a text is idempotent, so no lookup is needed.
    return photo ? null : startedWith(listing, owner, content)
  },
  /** A conversation alone echoes no key. */
  echo: ({ message }) => message && { key: message.client_id, id: message.id },
  createdId: ({ listing }, { conversation }) =>
    conversation ? { kind: 'conversation', from: localId(listing), to: conversation.id } : null,
  nextStep: (payload, { conversation, message }) =>
    conversation && message === null
      ? { name: 'conversation.start', payload: { ...payload, conversation: conversation.id } }
      : null,
  async settle(queued, started, tools) {
    const { listing, conversation } = queued.payload
    if (started?.conversation) await upsertConversations(tools, [started.conversation])
    if (started?.message) await storeSent(tools, queued, started.message)
    const serverId = started?.conversation?.id ?? conversation
    if (serverId !== undefined) await storeRenamed(tools, listing, serverId)
  },
  async revert(queued, problem, tools) {
    if (problem !== null) return storeFirst(queued, tools, 'refused')
    await storeRemoved(tools, queued)
    await dropIfEmpty(tools, localId(queued.payload.listing))
  },
  edit: (payload, content) => ({ ...payload, content }),
  /** The older version arrived with the photo: send only the new text. */
  followUp: ({ content, ...payload }, { conversation }) => ({
    name: 'message.send',
    payload: {
      conversation: conversation?.id ?? payload.conversation ?? localId(payload.listing),
      content,
    },
  }),
  orphaned: (payload) => ({ name: 'conversation.start', payload }),
}

async function storeFirst(
  queued: QueuedCommand<Payload<'conversation.start'>>,
  tools: Tools,
  state: 'queued' | 'refused',
): Promise<void> {
  const { listing } = queued.payload
  const started = await tools.store.one('conversations', localId(listing))
  await storePending(tools, queued, listing)
  await storeQueued(tools, queued, started?.movedTo ?? localId(listing), state)
}

function startedWith(listing: string, owner: string, content: string): Lookup {
  return {
    call: listConversations,
    found: (body, { matchedServerIds, triedAt }) => {
      const rows = rowsOf(body)
      if (rows === null) return null
      const found = rows.find((row) => readConversation(row)?.listing.id === listing)
      const last = members(found)['last_message']
      return isOwn(readMessage(last), owner, content, matchedServerIds, triedAt)
        ? { ...members(found), message: last }
        : undefined
    },
  }
}

const markRead: CommandRule<Payload<'conversation.read'>, { readonly upTo: number }> = {
  // A lane of its own: reading must not wait for messages that are being sent.
  lane: ({ conversation }) => `read:${conversation}`,
  silent: true,
  hidden: true,
  collapse({ upTo }, waiting, refused, id) {
    const further = waiting.find(({ payload }) => payload.upTo >= upTo)
    return further ? { drop: [], representedBy: further.id } : collapseAll(id, waiting, refused)
  },
  async apply({ payload }, { store }) {
    await store.change('conversations', payload.conversation, (stored) =>
      read(stored, payload.upTo),
    )
  },
  deliver: ({ payload: { conversation, upTo } }) => ({
    call: markConversationRead,
    params: { id: conversation },
    body: { up_to: upTo },
  }),
  /** A simpler server answers 204 [API 19]. */
  answer(body, { payload }) {
    const upTo = amount(members(body)['my_read_until'])
    return body === null ? payload : upTo === null ? null : { upTo }
  },
  async settle({ payload }, answer, { store }) {
    await store.change('conversations', payload.conversation, (stored) =>
      read(stored, answer?.upTo ?? payload.upTo),
    )
  },
}

export const commands = {
  'conversation.start': start,
  'conversation.read': markRead,
} satisfies CommandRules
