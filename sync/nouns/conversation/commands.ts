import { localId } from '#schema/localConversation'
import type { Payload } from '#schema/port/command'
import {
  type Conversation,
  listConversations,
  markConversationRead,
  startConversation,
} from '#schema/wire/conversation'
import type { Message } from '#schema/wire/message'
import type { CommandRule, CommandRules, QueuedCommand, Lookup, Step, Tools } from '../../noun.ts'
import { isOwn, messageIn, newestOf, requestOf, shownIn } from '../message/commands.ts'
import { storeRemoved, storeSent, storeQueued } from '../message/upsert.ts'
import { readMessage } from '../message/read.ts'
import { answerOf, clean, amount, findRow, members } from '../tolerant.ts'
import { dropIfEmpty, storePending, upsertConversations, storeRenamed, read } from './upsert.ts'
import { readConversation } from './read.ts'

type P = Payload<'conversation.start'>

interface Started {
  /** null: the conversation exists already, and this is the answer to its first message. */
  readonly conversation: Conversation | null
  readonly message: Message
}

const start: CommandRule<P, Started> = {
  lane: ({ listing }) => `conversation:${localId(listing)}`,
  after: {
    command: 'conversation.start',
    alone: (payload) => ({ name: 'conversation.start', payload }),
  },
  async check({ listing }, { store, currentUser }) {
    const about = await store.listings.findOne(listing).exec()
    if (about !== null && about.seller_id === currentUser().me) return 'own_listing'
    const from = localId(listing)
    const stored = await store.conversations.find({ sort: [{ newest: 'asc' }] }).exec()
    const known = stored.find(
      (one) => one.listing.id === listing && one.movedTo === null && one.id !== from,
    )
    return known ? { kind: 'conversation', from, to: known.id } : null
  },
  apply: (queued, tools) => storeFirst(queued, tools, 'queued'),
  /** First the conversation, with the message if it is a text; then a photo [API 11.1]. */
  deliver: (queued) =>
    queued.payload.conversation === undefined
      ? starting(queued)
      : following(queued, queued.payload.conversation),
  async settle(queued, started, tools) {
    const { listing, conversation } = queued.payload
    if (started?.conversation) await upsertConversations(tools, [started.conversation])
    if (started) await storeSent(tools, queued, started.message)
    const serverId = started?.conversation?.id ?? conversation
    if (serverId !== undefined) await storeRenamed(tools, listing, serverId)
  },
  async revert(queued, problem, tools) {
    if (problem !== null) return storeFirst(queued, tools, 'refused')
    await storeRemoved(tools, queued)
    await dropIfEmpty(tools, localId(queued.payload.listing))
  },
  change: {
    text: (payload, content) => ({ ...payload, content }),
    /** The older version arrived with the photo: send only the new text. */
    followUp: ({ content, conversation, listing }) => ({
      name: 'message.send',
      payload: { conversation: conversation ?? localId(listing), content },
    }),
  },
}

function starting(queued: QueuedCommand<P>): Step<P, Started> {
  const { id, payload } = queued
  const { listing, content, photo } = payload
  return {
    call: startConversation,
    // Starting without a text is idempotent, so no lookup is needed.
    ...(photo
      ? { body: { listing_id: listing }, key: `${id}-start` }
      : {
          body: { listing_id: listing, content: clean(content), client_id: id },
          keyless: { lookup: startedWith(queued), echo },
        }),
    answer(body) {
      const conversation = readConversation(body)
      if (conversation?.listing.id !== listing) return null
      const sent = members(body)['message']
      const message = messageIn(sent, payload)
      if (message === null && readMessage(sent) !== null) return null
      const to = conversation.id
      const created = { kind: 'conversation', from: localId(listing), to } as const
      return message
        ? { answer: { conversation, message }, created }
        : { next: { ...payload, conversation: to }, created }
    },
  }
}

function following(queued: QueuedCommand<P>, to: string): Step<P, Started> {
  return {
    ...requestOf(queued, to),
    answer: answerOf((body) => {
      const message = messageIn(body, queued.payload)
      return message && { conversation: null, message }
    }),
    keyless: { lookup: newestOf(queued, to), echo },
  }
}

function echo({ message: { client_id: key, id } }: Started) {
  return { key, id }
}

async function storeFirst(
  queued: QueuedCommand<P>,
  tools: Tools,
  state: 'queued' | 'refused',
): Promise<void> {
  const { listing } = queued.payload
  const conversation = await shownIn(tools, localId(listing))
  await storePending(tools, queued, listing)
  await storeQueued(tools, queued, conversation, state)
}

function startedWith(queued: QueuedCommand<P>): Lookup {
  const { listing } = queued.payload
  return {
    call: listConversations,
    found(body, context) {
      const found = findRow(body, (row) => readConversation(row)?.listing.id === listing)
      if (found === null) return null
      const message = members(found)['last_message']
      return isOwn(message, queued, context) ? { ...members(found), message } : undefined
    },
  }
}

export const commands = {
  'conversation.start': start,
  'conversation.read': {
    // A lane of its own: reading must not wait for messages that are being sent.
    lane: ({ conversation }) => `read:${conversation}`,
    silent: 'hidden',
    collapse: ({ upTo }, earlier) => (earlier.upTo >= upTo ? 'same' : 'replace'),
    apply: ({ payload }, { store }) =>
      store.conversations.change(payload.conversation, (stored) => read(stored, payload.upTo)),
    deliver: ({ payload }) => ({
      call: markConversationRead,
      params: { id: payload.conversation },
      body: { up_to: payload.upTo },
      /** A simpler server answers 204 [API 19]. */
      answer: answerOf((body) =>
        body === null ? payload.upTo : amount(members(body)['my_read_until']),
      ),
    }),
    settle: ({ payload }, answer, { store }) =>
      store.conversations.change(payload.conversation, (stored) =>
        read(stored, amount(answer) ?? payload.upTo),
      ),
  },
} satisfies CommandRules
