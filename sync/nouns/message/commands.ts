import { listingOfLocal, localId } from '#schema/localConversation'
import type { Payload, MessageContent } from '#schema/port/command'
import { listMessages, type Message, sendMessage } from '#schema/wire/message'
import type { CommandRule, CommandRules, Delivery, Lookup, Tools } from '../../noun.ts'
import { photoDeadline } from '../listing/photos.ts'
import { clean, members, msOf, rowsOf, SAME_MS } from '../tolerant.ts'
import { storeRemoved, storeSent, storeQueued } from './upsert.ts'
import { readMessage } from './read.ts'

const send: CommandRule<Payload<'message.send'>, Message> = {
  lane: ({ conversation }) => `conversation:${conversation}`,
  after: ['conversation.start'],
  async refuseEarly({ conversation }, { store }) {
    const stored = await store.one('conversations', conversation)
    return stored === null || stored.can_send ? null : 'cannot_message_user'
  },
  async resolveId({ conversation }, { store }) {
    const stored = await store.one('conversations', conversation)
    return stored &&
      stored.movedTo === null &&
      stored.listing.id !== '' &&
      stored.id !== localId(stored.listing.id)
      ? { kind: 'conversation', from: localId(stored.listing.id), to: stored.id }
      : null
  },
  async apply(queued, tools) {
    const conversation = await conversationOf(queued.payload, tools)
    await storeQueued(tools, queued, conversation, 'queued')
    await tools.store.change('conversations', conversation, (stored) => ({
      ...stored,
      newest: Math.min(stored.newest, -queued.createdAt),
    }))
  },
  bytes,
  deliver: ({ id, payload }) => requestOf(id, payload.conversation, payload),
  answer(body, { payload }) {
    const message = readMessage(body)
    return message !== null && sameText(message.content, payload.content) ? message : null
  },
  lookup: ({ owner, payload: { conversation, content } }) => newestOf(conversation, owner, content),
  echo: ({ client_id, id }) => ({ key: client_id, id }),
  async settle(queued, message, tools) {
    if (message) await storeSent(tools, queued, message)
  },
  async revert(queued, problem, tools) {
    const conversation = await conversationOf(queued.payload, tools)
    if (problem === null) await storeRemoved(tools, queued)
    else await storeQueued(tools, queued, conversation, 'refused')
  },
  edit: (payload, content) => ({ ...payload, content }),
  /** The older version arrived with the photo: send only the new text. */
  followUp: ({ conversation, content }) => ({
    name: 'message.send',
    payload: { conversation, content },
  }),
  /**
   * The entry that started the conversation was removed, but the local conversation could not be
   * deleted.
   */
  withoutEarlier({ conversation, ...payload }) {
    const listing = listingOfLocal(conversation)
    return listing === null
      ? null
      : { name: 'conversation.start', payload: { listing, ...payload } }
  },
  orphaned: ({ conversation: _gone, ...payload }, removed) => {
    const listing = members(removed.payload)['listing']
    return typeof listing === 'string'
      ? { name: 'conversation.start', payload: { listing, ...payload } }
      : null
  },
}

/** The conversation that shows the message: a local one may have been linked to the server's. */
async function conversationOf(
  { conversation }: Payload<'message.send'>,
  { store }: Tools,
): Promise<string> {
  return (await store.one('conversations', conversation))?.movedTo ?? conversation
}

/** Request of a message: JSON, or with a photo a form that has the text too [API 11.5]. */
export function requestOf(
  key: string,
  conversation: string,
  { content, photo }: MessageContent,
): Delivery {
  const request = {
    call: sendMessage,
    params: { id: conversation },
    body: { content: clean(content), client_id: key },
  }
  return photo
    ? {
        ...request,
        files: [{ name: 'attachment', photo: photo.id }],
        deadlineMs: photoDeadline(photo.bytes),
      }
    : request
}

export function bytes(payload: MessageContent): number {
  return JSON.stringify(payload).length + (payload.photo?.bytes ?? 0)
}

export function newestOf(conversation: string, owner: string, content: string): Lookup {
  return {
    call: listMessages,
    params: { id: conversation },
    found(body, { matchedServerIds, triedAt }) {
      const rows = rowsOf(body)
      if (rows === null) return null
      return rows.find((row) => isOwn(readMessage(row), owner, content, matchedServerIds, triedAt))
    },
  }
}

/** Whether a message of the server is the one that was tried, and matched with no other entry. */
export function isOwn(
  message: Message | null,
  owner: string,
  content: string,
  matchedServerIds: ReadonlySet<string>,
  triedAt: number,
): boolean {
  if (message === null || matchedServerIds.has(message.id) || message.sender_id !== owner)
    return false
  return sameText(message.content, content) && msOf(message.created_at) > triedAt - SAME_MS
}

/**
 * Compares texts as servers normalize them [API 1.1]: NFC, LF, trimmed, without control characters.
 */
export function sameText(a: string, b: string): boolean {
  return normalized(a) === normalized(b)
}

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
