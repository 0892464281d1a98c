import type { MessageDocument } from '#schema/disk/documents'
import { MESSAGES_PAGE, MESSAGES_PAGE_MAX } from '#schema/limits'
import { listingOfLocal } from '#schema/localConversation'
import { conversation as conversationShape, initConversation } from '#schema/wire/conversation'
import { listMessages, type Message } from '#schema/wire/message'
import * as v from 'valibot'
import type { CallOptions, Need, ListUpdate, CallResult, Store, Tools } from '../../noun.ts'
import { upsertConversations } from '../conversation/upsert.ts'
import { readConversation } from '../conversation/read.ts'
import { upsertListings } from '../listing/upsert.ts'
import { readListing } from '#schema/listingDocument'
import { fill, members, page, type Page } from '../tolerant.ts'
import { upsertMessages } from './upsert.ts'
import { PENDING, readMessage } from './read.ts'
import { heldOf } from './thread.ts'

const FRESH_MS = 60_000
/**
 * If more pages are missing, only the newest page is loaded, and a gap is left to load on demand
 * [SYNC 4].
 */
const CATCH_UP_PAGES = 4
/** With fewer local rows, load the whole screen in one request. */
const THIN = 10

/** None for a visitor, and for a conversation that the server does not have. */
export function threadNeeds(conversation: string, limit: number, tools: Tools): readonly Need[] {
  return tools.currentUser().me === '' || listingOfLocal(conversation) !== null
    ? []
    : [threadNeed(conversation, limit)]
}

/**
 * Messages of a conversation, at least `limit` without a gap. In its list document, `count` is the
 * number of contiguous rows from the newest; `next` null: no older row is missing.
 */
export function threadNeed(conversation: string, limit: number): Need {
  return {
    key: `messages:${conversation}`,
    personal: true,
    freshMs: FRESH_MS,
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

/** Loads the whole screen in one request; a simpler server only has the messages. */
async function first(tools: Tools, id: string): Promise<CallResult<Page<Message>>> {
  const reply = await tools.http.call(initConversation, { params: { id } }, (body) => {
    const conversation = readConversation(members(body)['conversation'])
    const messages = messagesOf(members(body)['messages'], id)
    const listing = readListing(members(body)['listing'], tools.now())
    return conversation && messages && { conversation, messages, listing }
  })
  if (reply.kind === 'refused' && reply.problem.code !== 'not_found')
    return load(tools, id, newestPage)
  if (reply.kind !== 'done') return reply
  const { conversation, messages, listing } = reply.answer
  await upsertConversations(tools, [conversation])
  if (listing !== null) await upsertListings(tools, [listing])
  await upsertMessages(tools, messages.rows)
  return { kind: 'done', answer: messages }
}

const newestPage = { query: { page_size: MESSAGES_PAGE } }

/**
 * Loads messages after the newest local one, oldest first, so that an interruption leaves no gap.
 */
async function since(tools: Tools, id: string, from: number): Promise<CallResult<Page<Message>>> {
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

/**
 * The page before the first gap; null: the rows are stored locally. `next`: the URL of a server
 * without `seq`.
 */
async function older(
  tools: Tools,
  id: string,
  limit: number,
  next: string | null,
): Promise<CallResult<Page<Message>> | null> {
  const { gapBefore } = await held(tools.store, id, limit)
  if (gapBefore !== null)
    return load(tools, id, { query: { before: gapBefore.seq, page_size: MESSAGES_PAGE } })
  return next === null ? null : load(tools, id, { next })
}

async function load(
  tools: Tools,
  id: string,
  options: CallOptions<typeof listMessages>,
): Promise<CallResult<Page<Message>>> {
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

const { entries: positions } = v.pick(conversationShape, [
  'last_seq',
  'my_read_until',
  'peer_read_until',
])

/**
 * The `seq` after which to fetch: of the newest row, or of the row below a gap from single messages
 * (events). 0: no `seq`. null: too few rows, load the whole screen.
 */
async function knownUpTo(store: Store, conversation: string): Promise<number | null> {
  if ((await store.conversations.findOne(conversation).exec()) === null) return null
  const rows = await sent(store, conversation, MESSAGES_PAGE + 1)
  const { count, gapBefore } = heldOf(rows, rows.length <= MESSAGES_PAGE)
  const below = rows[count]
  if (below !== undefined && count < MESSAGES_PAGE) return below.seq
  if (rows[0] === undefined || (gapBefore !== null && count < THIN)) return null
  return rows[0].seq
}

/** Messages that the server has, newest first. */
export function sent(
  store: Store,
  conversation: string,
  limit: number,
): Promise<readonly MessageDocument[]> {
  return store.messages
    .find({
      selector: { conversation, newest: { $gt: -PENDING } },
      sort: [{ newest: 'asc' }],
      limit,
    })
    .exec()
}

/** `more`: there may be older local rows that were not read. */
async function held(store: Store, conversation: string, limit: number) {
  const most = Math.max(limit, MESSAGES_PAGE)
  const rows = await store.messages
    .find({ selector: { conversation }, sort: [{ newest: 'asc' }], limit: most + 1 })
    .exec()
  return { ...heldOf(rows, rows.length <= most), more: rows.length > most }
}

async function noted(
  store: Store,
  conversation: string,
  limit: number,
  next: string | null,
): Promise<ListUpdate> {
  const [newest] = await sent(store, conversation, 1)
  const { count, gapBefore, more } = await held(store, conversation, limit)
  if (newest?.seq === 0) return { count, next }
  if (gapBefore !== null) return { count, next: `before ${gapBefore.seq}` }
  return { count, next: more ? 'on the phone' : null }
}
