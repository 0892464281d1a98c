import { listingOfLocal, localId } from '#schema/localConversation'
import type { Payload, MessageContent } from '#schema/port/command'
import { listMessages, type Message, sendMessage } from '#schema/wire/message'
import type {
  CommandRule,
  CommandRules,
  Delivery,
  Lookup,
  LookupContext,
  QueuedCommand,
  Tools,
} from '../../noun.ts'
import { photoDeadline } from '../listing/photos.ts'
import { answerOf, clean, findRow, msOf, SAME_MS } from '../tolerant.ts'
import { storeRemoved, storeSent, storeQueued } from './upsert.ts'
import { readMessage } from './read.ts'

const send: CommandRule<Payload<'message.send'>, Message> = {
  lane: ({ conversation }) => `conversation:${conversation}`,
  after: {
    command: 'conversation.start',
    // The conversation is local when its start was removed: this message starts it then.
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
    const conversation = await shownIn(tools, queued.payload.conversation)
    await storeQueued(tools, queued, conversation, 'queued')
    await tools.store.conversations.change(conversation, (stored) => ({
      ...stored,
      newest: Math.min(stored.newest, -queued.createdAt),
    }))
  },
  deliver: (queued) => ({
    ...requestOf(queued, queued.payload.conversation),
    answer: answerOf((body) => messageIn(body, queued.payload)),
    keyless: {
      lookup: newestOf(queued, queued.payload.conversation),
      echo: ({ client_id: key, id }) => ({ key, id }),
    },
  }),
  async settle(queued, message, tools) {
    if (message) await storeSent(tools, queued, message)
  },
  async revert(queued, problem, tools) {
    if (problem === null) return storeRemoved(tools, queued)
    const conversation = await shownIn(tools, queued.payload.conversation)
    await storeQueued(tools, queued, conversation, 'refused')
  },
  change: {
    text: (payload, content) => ({ ...payload, content }),
    /** The older version arrived with the photo: send only the new text. */
    followUp: ({ conversation, content }) => ({
      name: 'message.send',
      payload: { conversation, content },
    }),
  },
}

/** The conversation that shows the message: a local one may have been linked to the server's. */
export async function shownIn({ store }: Tools, conversation: string): Promise<string> {
  return (await store.conversations.findOne(conversation).exec())?.movedTo ?? conversation
}

type Queued = QueuedCommand<MessageContent>

/** Request of a message: JSON, or with a photo a form that has the text too [API 11.5]. */
export function requestOf(
  { id, payload: { content, photo, replyTo } }: Queued,
  conversation: string,
): Delivery {
  return {
    call: sendMessage,
    params: { id: conversation },
    body: { content: clean(content), client_id: id, ...(replyTo && { reply_to_id: replyTo }) },
    ...(photo && {
      files: [{ name: 'attachment', photo: photo.id }],
      deadlineMs: photoDeadline(photo.bytes),
    }),
  }
}

/** The message of an answer; null: not the one that was sent. */
export function messageIn(body: unknown, { content }: MessageContent): Message | null {
  const message = readMessage(body)
  return message !== null && normalized(message.content) === normalized(content) ? message : null
}

export function newestOf(queued: Queued, conversation: string): Lookup {
  return {
    call: listMessages,
    params: { id: conversation },
    found: (body, context) => findRow(body, (row) => isOwn(row, queued, context)),
  }
}

/** Whether a message of the server is the one that was tried, and matched with no other entry. */
export function isOwn(
  body: unknown,
  { owner, payload }: Queued,
  { matchedServerIds, triedAt }: LookupContext,
): boolean {
  const message = messageIn(body, payload)
  return (
    message !== null &&
    !matchedServerIds.has(message.id) &&
    message.sender_id === owner &&
    msOf(message.created_at) > triedAt - SAME_MS
  )
}

/** As servers normalize texts [API 1.1]: NFC, LF, trimmed, without control characters. */
function normalized(text: string): string {
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
