import { localId } from '#schema/localConversation'
import type { Payload } from '#schema/port/command'
import { clean } from '#schema/visible'
import {
  listConversations,
  markConversationRead,
  startConversation,
} from '#schema/wire/conversation'
import type { CommandRule, CommandRules, QueuedCommand, Lookup, Step, Tools } from '../../noun.ts'
import { changing, echo, isOwn, messageIn, sending, type Sent } from '../message/commands.ts'
import { readMessage, storeRemoved, storeSent, storeQueued } from '../message/documents.ts'
import { answerOf, amount, findRow, members } from '../tolerant.ts'
import {
  dropIfEmpty,
  read,
  readConversation,
  storePending,
  storeRenamed,
  upsertConversations,
} from './documents.ts'

type P = Payload<'conversation.start'>

const start: CommandRule<P, Sent> = {
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
  deliver: (queued) =>
    queued.payload.conversation === undefined
      ? starting(queued)
      : sending(queued, queued.payload.conversation),
  async settle(queued, sent, tools) {
    const { listing, conversation } = queued.payload
    if (sent?.conversation) await upsertConversations(tools, [sent.conversation])
    if (sent) await storeSent(tools, queued, sent.message)
    const serverId = sent?.conversation?.id ?? conversation
    if (serverId !== undefined) await storeRenamed(tools, listing, serverId)
  },
  async revert(queued, problem, tools) {
    if (problem !== null) return storeFirst(queued, tools, 'refused')
    await storeRemoved(tools, queued)
    await dropIfEmpty(tools, localId(queued.payload.listing))
  },
  change: changing(({ conversation, listing }) => conversation ?? localId(listing)),
}

function starting(queued: QueuedCommand<P>): Step<P, Sent> {
  const { id, payload } = queued
  const { listing, content, photo } = payload
  return {
    call: startConversation,
    // Without a text it is idempotent and needs no lookup.
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

async function storeFirst(queued: QueuedCommand<P>, tools: Tools, state: 'queued' | 'refused') {
  const { listing } = queued.payload
  await storePending(tools, queued, listing)
  await storeQueued(tools, queued, localId(listing), state)
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
    // Must not wait for messages that are being sent.
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
