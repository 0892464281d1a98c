import type { MessageDocument } from '#schema/disk/documents'
import { MESSAGES_PAGE, MESSAGES_PAGE_MAX } from '#schema/limits'
import { initConversation } from '#schema/wire/conversation'
import { listMessages, type Message } from '#schema/wire/message'
import type { Need, ListUpdate, CallResult, Store, Tools } from '../../noun.ts'
import { upsertConversations } from '../conversation/upsert.ts'
import { readConversation } from '../conversation/read.ts'
import { upsertListings } from '../listing/upsert.ts'
import { readListing } from '#schema/listingDocument'
import { amount, members, page, type Page } from '../tolerant.ts'
import { upsertMessages } from './upsert.ts'
import { PENDING, readMessage } from './read.ts'
import { heldOf, type Held } from './thread.ts'

const FRESH_MS = 60_000
/**
 * If more pages are missing, only the newest page is loaded, and a gap is left to load on demand
 * [SYNC 4].
 */
const CATCH_UP_PAGES = 4
/** With fewer local rows, load the whole screen in one request. */
const THIN = 10

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
      if (reply === null)
        return { kind: 'done', answer: await noted(tools.store, conversation, limit, null) }
      if (reply.kind !== 'done') return reply
      return { ...reply, answer: await noted(tools.store, conversation, limit, reply.answer.next) }
    },
  }
}

/** Loads the whole screen in one request; a simpler server only has the messages. */
async function first(tools: Tools, id: string): Promise<CallResult<Leaf>> {
  const reply = await tools.http.call(initConversation, { params: { id } }, (body) => {
    const read = readConversation(members(body)['conversation'])
    const messages = leafOf(members(body)['messages'], id)
    return (
      read &&
      messages && { read, messages, listing: readListing(members(body)['listing'], tools.now()) }
    )
  })
  if (reply.kind === 'refused' && reply.problem.code !== 'not_found') return newestPage(tools, id)
  if (reply.kind !== 'done') return reply
  const { read, messages, listing } = reply.answer
  await upsertConversations(tools, [read])
  if (listing !== null) await upsertListings(tools, [listing])
  await upsertMessages(tools, messages.rows)
  return { kind: 'done', answer: messages }
}

async function newestPage(tools: Tools, id: string): Promise<CallResult<Leaf>> {
  const reply = await tools.http.call(
    listMessages,
    { params: { id }, query: { page_size: MESSAGES_PAGE } },
    (body) => leafOf(body, id),
  )
  if (reply.kind === 'done') await take(tools, id, reply.answer)
  return reply
}

/**
 * Loads messages after the newest local one, oldest first, so that an interruption leaves no gap.
 */
async function since(tools: Tools, id: string, from: number): Promise<CallResult<Leaf>> {
  if (from === 0) return newestPage(tools, id)
  let after = from
  for (let n = 0; n < CATCH_UP_PAGES; n++) {
    const reply = await tools.http.call(
      listMessages,
      { params: { id }, query: { after, page_size: MESSAGES_PAGE_MAX } },
      (body) => leafOf(body, id),
    )
    if (reply.kind !== 'done') return reply
    await take(tools, id, reply.answer)
    const last = Math.max(after, ...reply.answer.rows.map(({ seq }) => seq))
    if (reply.answer.next === null || last === after)
      return { ...reply, answer: { ...reply.answer, next: null } }
    after = last
  }
  return newestPage(tools, id)
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
): Promise<CallResult<Leaf> | null> {
  const { gapBefore } = await held(tools.store, id, limit)
  if (gapBefore === null && next === null) return null
  const ask =
    gapBefore === null
      ? { next: next ?? '' }
      : { query: { before: gapBefore.seq, page_size: MESSAGES_PAGE } }
  const reply = await tools.http.call(listMessages, { params: { id }, ...ask }, (body) =>
    leafOf(body, id),
  )
  if (reply.kind === 'done') await upsertMessages(tools, reply.answer.rows)
  return reply
}

interface Leaf extends Page<Message> {
  readonly lastSeq: number | null
  readonly myRead: number | null
  readonly peerRead: number | null
}

function leafOf(body: unknown, conversation: string): Leaf | null {
  const read = page(body, (row) => readMessage({ conversation, ...members(row) }))
  const object = members(body)
  return (
    read && {
      ...read,
      lastSeq: amount(object['last_seq']),
      myRead: amount(object['my_read_until']),
      peerRead: amount(object['peer_read_until']),
    }
  )
}

async function take(
  tools: Tools,
  id: string,
  { rows, lastSeq, myRead, peerRead }: Leaf,
): Promise<void> {
  await upsertMessages(tools, rows)
  await tools.store.conversations.change(id, (stored) => ({
    ...stored,
    last_seq: Math.max(stored.last_seq, lastSeq ?? 0),
    my_read_until: Math.max(stored.my_read_until, myRead ?? 0),
    peer_read_until: Math.max(stored.peer_read_until, peerRead ?? 0),
  }))
}

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

/** Newest first. */
function sent(
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

interface Extent extends Held {
  /** There may be older local rows that were not read. */
  readonly more: boolean
}

async function held(store: Store, conversation: string, limit: number): Promise<Extent> {
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
  const { count, gapBefore, more } = await held(store, conversation, limit)
  const numbered = (await sent(store, conversation, 1))[0]?.seq !== 0
  return {
    count,
    next: !numbered
      ? next
      : gapBefore !== null
        ? `before ${gapBefore.seq}`
        : more
          ? 'on the phone'
          : null,
  }
}
