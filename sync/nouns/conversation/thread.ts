import { MESSAGES_PAGE, MESSAGES_PAGE_MAX } from '#schema/limits'
import { listingOfLocal } from '#schema/localConversation'
import { conversation as conversationShape, initConversation } from '#schema/wire/conversation'
import { listMessages } from '#schema/wire/message'
import type { CallOptions, MessageDocument, Need, Store, Tools } from '../../noun.ts'
import { storeListing } from '../listing/upsert.ts'
import { mapAnswer } from '../needs.ts'
import { fill, members, msOf, page, SAME_MS } from '../tolerant.ts'
import {
  PENDING,
  readConversation,
  readMessage,
  upsertConversations,
  upsertMessages,
} from './documents.ts'

/** Beyond them the newest page is loaded, with a gap to load on demand [SYNC 4]. */
const CATCH_UP_PAGES = 4
const THIN = 10

export function threadNeeds(conversation: string, limit: number, tools: Tools) {
  return tools.currentUser().me === '' || listingOfLocal(conversation) !== null
    ? []
    : [threadNeed(conversation, limit)]
}

/** `count` is that of contiguous rows from the newest; `next` null: no older row is missing. */
export function threadNeed(conversation: string, limit: number): Need {
  return {
    key: `messages:${conversation}`,
    personal: true,
    freshMs: 60_000,
    isIncomplete: (known) => known.next !== null && (known.count ?? 0) < limit,
    async fetch(tools, { known, stale }) {
      const from = await knownUpTo(tools.store, conversation)
      const reply =
        from === null
          ? await first(tools, conversation)
          : stale
            ? await since(tools, conversation, from)
            : await older(tools, conversation, limit, from === 0 ? (known?.next ?? null) : null)
      if (reply !== null && reply.kind !== 'done') return reply
      const next = reply?.answer.next ?? null
      return { kind: 'done', answer: await noted(tools.store, conversation, limit, next) }
    },
  }
}

/** A simpler server only has the messages. */
async function first(tools: Tools, id: string) {
  const reply = await tools.http.call(initConversation, { params: { id } }, (body) => {
    const conversation = readConversation(members(body)['conversation'])
    const messages = messagesOf(members(body)['messages'], id)
    return conversation && messages && { conversation, messages, listing: members(body)['listing'] }
  })
  if (reply.kind === 'refused' && reply.problem.code !== 'not_found')
    return load(tools, id, newestPage)
  return mapAnswer(reply, async ({ conversation, messages, listing }) => {
    await upsertConversations(tools, [conversation])
    await storeListing(tools, listing)
    await upsertMessages(tools, messages.rows)
    return messages
  })
}

const newestPage = { query: { page_size: MESSAGES_PAGE } }

/** Oldest first: an interruption leaves no gap. */
async function since(tools: Tools, id: string, from: number) {
  let after = from
  for (let n = 0; n < CATCH_UP_PAGES && from !== 0; n++) {
    const reply = await load(tools, id, { query: { after, page_size: MESSAGES_PAGE_MAX } })
    if (reply.kind !== 'done') return reply
    const last = Math.max(after, ...reply.answer.rows.map(({ seq }) => seq))
    if (reply.answer.next === null || last === after)
      return { ...reply, answer: { ...reply.answer, next: null } }
    after = last
  }
  return load(tools, id, newestPage)
}

/** The page before the first gap; null: none is missing. `next`: of a server without `seq`. */
async function older(tools: Tools, id: string, limit: number, next: string | null) {
  const { gapBefore } = await held(tools.store, id, limit)
  if (gapBefore !== null)
    return load(tools, id, { query: { before: gapBefore.seq, page_size: MESSAGES_PAGE } })
  return next === null ? null : load(tools, id, { next })
}

async function load(tools: Tools, id: string, options: CallOptions<typeof listMessages>) {
  const reply = await tools.http.call(listMessages, { params: { id }, ...options }, (body) => {
    const messages = messagesOf(body, id)
    return messages && { ...messages, positions: fill(positions, body, {}) }
  })
  if (reply.kind !== 'done') return reply
  const { rows, positions: now } = reply.answer
  await upsertMessages(tools, rows)
  await tools.store.conversations.change(id, (stored) => ({
    ...stored,
    last_seq: Math.max(stored.last_seq, now.last_seq),
    my_read_until: Math.max(stored.my_read_until, now.my_read_until),
    peer_read_until: Math.max(stored.peer_read_until, now.peer_read_until),
  }))
  return reply
}

const messagesOf = (body: unknown, conversation: string) =>
  page(body, (row) => readMessage({ conversation, ...members(row) }))

const { last_seq, my_read_until, peer_read_until } = conversationShape.entries
const positions = { last_seq, my_read_until, peer_read_until }

/** Fetched after this `seq`: events may have left a gap. 0: no `seq`. null: too few rows. */
async function knownUpTo(store: Store, conversation: string) {
  if ((await store.conversations.findOne(conversation).exec()) === null) return null
  const rows = await sent(store, conversation, MESSAGES_PAGE + 1)
  const { count, gapBefore } = heldOf(rows, rows.length <= MESSAGES_PAGE)
  const below = rows[count]
  if (below !== undefined && count < MESSAGES_PAGE) return below.seq
  if (rows[0] === undefined || (gapBefore !== null && count < THIN)) return null
  return rows[0].seq
}

/** Messages that the server has, newest first. */
export function sent({ messages }: Store, conversation: string, limit: number) {
  const selector = { conversation, newest: { $gt: -PENDING } }
  return messages.find({ selector, limit }).exec()
}

export function newest({ messages }: Store, conversation: string, limit: number) {
  return messages.find({ selector: { conversation }, limit })
}

async function held(store: Store, conversation: string, limit: number) {
  const most = Math.max(limit, MESSAGES_PAGE)
  const rows = await newest(store, conversation, most + 1).exec()
  return { ...heldOf(rows, rows.length <= most), more: rows.length > most }
}

async function noted(store: Store, conversation: string, limit: number, next: string | null) {
  const [last] = await sent(store, conversation, 1)
  const { count, gapBefore, more } = await held(store, conversation, limit)
  if (last?.seq === 0) return { count, next }
  if (gapBefore !== null) return { count, next: `before ${gapBefore.seq}` }
  return { count, next: more ? 'on the phone' : null }
}

/**
 * `rows`: newest first; `whole`: there are no older ones. `count` of them have no gap. Pending rows,
 * and those of a server without `seq` [API 19], never have one.
 */
export function heldOf(rows: readonly MessageDocument[], whole: boolean) {
  let count = 0
  let newer: MessageDocument | null = null
  for (const row of rows) {
    const numbered = row.serverId !== '' && row.seq > 0
    if (numbered && newer !== null && row.seq < newer.seq - 1) return { count, gapBefore: newer }
    count++
    if (numbered) newer = row
  }
  return { count, gapBefore: whole && newer !== null && newer.seq > 1 ? newer : null }
}

/** Without keys the server has own messages twice: hides the copy not written here [SYNC 5]. */
export function shownOnce(rows: readonly MessageDocument[], me: string) {
  const nameless = rows.filter(
    (row) => row.sender_id === me && row.serverId !== '' && row.client_id === null,
  )
  const writtenHere = nameless.filter(({ id, serverId }) => id !== serverId)
  const copies = new Set(
    nameless.filter(
      ({ id, serverId, content, created_at: at }) =>
        id === serverId &&
        writtenHere.some(
          (one) => one.content === content && Math.abs(msOf(one.created_at) - msOf(at)) <= SAME_MS,
        ),
    ),
  )
  return copies.size === 0 ? rows : rows.filter((row) => !copies.has(row))
}
