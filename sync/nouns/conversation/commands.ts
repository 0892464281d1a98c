import { listingOfLocal, localId } from '#schema/localConversation'
import { clean } from '#schema/text'
import type { Problem } from '#schema/wire/problem'
import {
  type Conversation,
  listConversations,
  markConversationRead,
  startConversation,
} from '#schema/wire/conversation'
import { listMessages, type Message, sendMessage } from '#schema/wire/message'
import type {
  CommandRules,
  Lookup,
  LookupContext,
  MessageContent,
  Payload,
  QueuedCommand,
  RuleOf,
  Step,
  Tools,
} from '../../noun.ts'
import { photoDeadline } from '../listing/publish.ts'
import { amount, answerOf, findRow, members, msOf, SAME_MS } from '../tolerant.ts'
import {
  dropIfEmpty,
  type Queued,
  read,
  readConversation,
  readMessage,
  storeQueued,
  storeRemoved,
  storeRenamed,
  storeSent,
  upsertConversations,
} from './documents.ts'

interface Sent {
  readonly message: Message
  /** null: it existed already. */
  readonly conversation: Conversation | null
}

const send: RuleOf<'message.send', Sent> = {
  ...writing(({ conversation }) => conversation),
  after: {
    command: 'conversation.start',
    // The conversation is local when its start was removed.
    alone({ conversation, ...payload }) {
      const listing = listingOfLocal(conversation)
      return listing === null
        ? { name: 'message.send', payload: { conversation, ...payload } }
        : { name: 'conversation.start', payload: { listing, ...payload } }
    },
  },
  async check({ conversation }, { store }) {
    const stored = await store.conversations.findOne(conversation).exec()
    if (stored === null) return null
    if (!stored.can_send) return 'cannot_message_user'
    const from = localId(stored.listing.id)
    return stored.movedTo === null && stored.listing.id !== '' && stored.id !== from
      ? { kind: 'conversation', from, to: stored.id }
      : null
  },
  deliver: (queued) => sending(queued, queued.payload.conversation),
  async settle(queued, sent, tools) {
    if (sent) await storeSent(tools, queued, sent.message)
  },
}

function writing<P extends MessageContent & { readonly conversation?: string | undefined }>(
  shownIn: (payload: P) => string,
) {
  return {
    lane: (payload: P) => `conversation:${shownIn(payload)}`,
    async apply(queued: QueuedCommand<P>, tools: Tools) {
      const id = await storeQueued(tools, queued, shownIn(queued.payload), 'queued')
      await tools.store.conversations.change(id, (stored) => ({
        ...stored,
        newest: Math.min(stored.newest, -queued.createdAt),
      }))
    },
    async revert(queued: QueuedCommand<P>, problem: Problem | null, tools: Tools) {
      const id = shownIn(queued.payload)
      if (problem !== null) return void (await storeQueued(tools, queued, id, 'refused'))
      await storeRemoved(tools, queued)
      await dropIfEmpty(tools, id)
    },
    change: {
      text: (payload: P, content: string): P => ({ ...payload, content }),
      /** The older version arrived with the photo. */
      followUp: (payload: P) => ({
        name: 'message.send' as const,
        payload: {
          conversation: payload.conversation ?? shownIn(payload),
          content: payload.content,
        },
      }),
    },
  }
}

/** [API 11.5] */
function sending(queued: Queued, conversation: string): Step<never, Sent> {
  const { id, payload } = queued
  const { content, photo, replyTo } = payload
  return {
    call: sendMessage,
    params: { id: conversation },
    body: { content: clean(content), client_id: id, ...(replyTo && { reply_to_id: replyTo }) },
    ...(photo && {
      files: [{ name: 'attachment', photo: photo.id }],
      deadlineMs: photoDeadline(photo.bytes),
    }),
    answer: answerOf((body) => {
      const message = messageIn(body, payload)
      return message && { message, conversation: null }
    }),
    keyless: {
      lookup: {
        call: listMessages,
        params: { id: conversation },
        found: (body, context) => findRow(body, (row) => isOwn(row, queued, context)),
      },
      echo,
    },
  }
}

function echo({ message: { client_id: key, id } }: Sent) {
  return { key, id }
}

function messageIn(body: unknown, { content }: MessageContent) {
  const message = readMessage(body)
  return message !== null && normalized(message.content) === normalized(content) ? message : null
}

function isOwn(
  body: unknown,
  { owner, payload }: Queued,
  { matchedServerIds, triedAt }: LookupContext,
) {
  const message = messageIn(body, payload)
  return (
    message !== null &&
    !matchedServerIds.has(message.id) &&
    message.sender_id === owner &&
    msOf(message.created_at) > triedAt - SAME_MS
  )
}

/** [API 1.1] */
function normalized(text: string) {
  return (
    text
      .normalize('NFC')
      .replace(/\r\n?/g, '\n')
      // oxlint-disable-next-line no-control-regex -- servers remove these characters
      .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')
      .trim()
  )
}

const start: RuleOf<'conversation.start', Sent> = {
  ...writing(({ listing }) => localId(listing)),
  after: {
    command: 'conversation.start',
    alone: (payload) => ({ name: 'conversation.start', payload }),
  },
  async check({ listing }, { store, currentUser }) {
    const about = await store.listings.findOne(listing).exec()
    if (about !== null && about.seller_id === currentUser().me) return 'own_listing'
    const from = localId(listing)
    const stored = await store.conversations.find().exec()
    const known = stored.find(
      (one) => one.listing.id === listing && one.movedTo === null && one.id !== from,
    )
    return known ? { kind: 'conversation', from, to: known.id } : null
  },
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
}

type Start = Payload<'conversation.start'>

function starting(queued: QueuedCommand<Start>): Step<Start, Sent> {
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

function startedWith(queued: QueuedCommand<Start>): Lookup {
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
  'message.send': send,
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
