import { listingOfLocal, localId } from '#schema/localConversation'
import type { Payload, MessageContent } from '#schema/port/command'
import type { Conversation } from '#schema/wire/conversation'
import { listMessages, type Message, sendMessage } from '#schema/wire/message'
import { clean } from '#schema/visible'
import type { CommandRule, CommandRules, LookupContext, QueuedCommand, Step } from '../../noun.ts'
import { photoDeadline } from '../listing/publish.ts'
import { answerOf, findRow, msOf, SAME_MS } from '../tolerant.ts'
import { readMessage, storeQueued, storeRemoved, storeSent } from './documents.ts'

export interface Sent {
  readonly message: Message
  /** null: it existed already. */
  readonly conversation: Conversation | null
}

const send: CommandRule<Payload<'message.send'>, Sent> = {
  lane: ({ conversation }) => `conversation:${conversation}`,
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
  async apply(queued, tools) {
    const shownIn = await storeQueued(tools, queued, queued.payload.conversation, 'queued')
    await tools.store.conversations.change(shownIn, (stored) => ({
      ...stored,
      newest: Math.min(stored.newest, -queued.createdAt),
    }))
  },
  deliver: (queued) => sending(queued, queued.payload.conversation),
  async settle(queued, sent, tools) {
    if (sent) await storeSent(tools, queued, sent.message)
  },
  async revert(queued, problem, tools) {
    if (problem === null) await storeRemoved(tools, queued)
    else await storeQueued(tools, queued, queued.payload.conversation, 'refused')
  },
  change: changing(({ conversation }) => conversation),
}

export function changing<P extends MessageContent>(conversationIn: (payload: P) => string) {
  return {
    text: (payload: P, content: string): P => ({ ...payload, content }),
    /** The older version arrived with the photo. */
    followUp: (payload: P) => ({
      name: 'message.send' as const,
      payload: { conversation: conversationIn(payload), content: payload.content },
    }),
  }
}

type Queued = QueuedCommand<MessageContent>

/** JSON, or with a photo a form that has the text too [API 11.5]. */
export function sending(queued: Queued, conversation: string): Step<never, Sent> {
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

export function echo({ message: { client_id: key, id } }: Sent) {
  return { key, id }
}

/** null: not the one that was sent. */
export function messageIn(body: unknown, { content }: MessageContent): Message | null {
  const message = readMessage(body)
  return message !== null && normalized(message.content) === normalized(content) ? message : null
}

export function isOwn(
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

export const commands = { 'message.send': send } satisfies CommandRules
