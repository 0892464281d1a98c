import { listingOfLocal, localId } from '#schema/localConversation'
import type { Payload, MessageContent } from '#schema/port/command'
import { listMessages, type Message, sendMessage } from '#schema/wire/message'
import type { CommandRule, CommandRules, Delivery, ReadBack, Tools } from '../../noun.ts'
import { photoDeadline } from '../listing/photos.ts'
import { clean, members, msOf, rowsOf, SAME_MS } from '../tolerant.ts'
import { storeRemoved, storeSent, storeQueued } from './upsert.ts'
import { readMessage } from './read.ts'

const send: CommandRule<Payload<'message.send'>, Message> = {
  lane: ({ conversation }) => `conversation:${conversation}`,
  after: ['conversation.start'],
  async refuseEarly({ conversation }, { store }) {
    const here = await store.one('conversations', conversation)
    return here === null || here.can_send ? null : 'cannot_message_user'
  },
  async resolveId({ conversation }, { store }) {
    const here = await store.one('conversations', conversation)
    return here &&
      here.movedTo === null &&
      here.listing.id !== '' &&
      here.id !== localId(here.listing.id)
      ? { kind: 'conversation', from: localId(here.listing.id), to: here.id }
      : null
  },
  async apply(queued, tools) {
    const conversation = await conversationOf(queued.payload, tools)
    await storeQueued(tools, queued, conversation, 'queued')
    await tools.store.change('conversations', conversation, (here) => ({
      ...here,
      newest: Math.min(here.newest, -queued.createdAt),
    }))
  },
  bytes,
  deliver: ({ id, payload }) => requestOf(id, payload.conversation, payload),
  answer(body, { payload }) {
    const message = readMessage(body)
    return message !== null && sameText(message.content, payload.content) ? message : null
  },
  readBack: ({ owner, payload: { conversation, content } }) =>
    newestOf(conversation, owner, content),
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
  alone({ conversation, ...payload }) {
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

export function newestOf(conversation: string, owner: string, content: string): ReadBack {
  return {
    call: listMessages,
    params: { id: conversation },
    found(body, { claimed, triedAt }) {
      const rows = rowsOf(body)
      if (rows === null) return null
      return rows.find((row) => isOwn(readMessage(row), owner, content, claimed, triedAt))
    },
  }
}

/** Whether a message of the server is the one that was tried, and not claimed by another entry. */
export function isOwn(
  message: Message | null,
  owner: string,
  content: string,
  claimed: ReadonlySet<string>,
  triedAt: number,
): boolean {
  if (message === null || claimed.has(message.id) || message.sender_id !== owner) return false
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
