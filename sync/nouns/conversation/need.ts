import type { ConversationDocument } from '#schema/disk/documents'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { listingOfLocal } from '#schema/localConversation'
import { listConversations, type Conversation } from '#schema/wire/conversation'
import type { Need, Tools } from '../../noun.ts'
import { sent, threadNeed } from '../message/need.ts'
import { isGone, readPages } from '../needs.ts'
import { deepEqual, page } from '../tolerant.ts'
import { upsertConversations } from './upsert.ts'
import { readConversation } from './read.ts'

const FRESH_MS = 60_000
/** A longer list costs too much to load and to watch: older ones come with their next event. */
const PAGES_MAX = 5
const AHEAD = 5

/** All conversations: the changes since the last answer, or the full list [API 3]. */
export const conversationsNeed: Need = {
  key: 'conversations',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools, { known }) {
    const after = known?.cursor ?? null
    const changes = after === null ? null : await pages(tools, { updated_after: after })
    const isWhole = changes === null || isGone(changes)
    // A conversation that arrives during the fetch may not be in the answer.
    const before = isWhole
      ? await tools.store.conversations.find({ sort: [{ newest: 'asc' }] }).exec()
      : []
    const reply = isWhole ? await pages(tools, {}) : changes
    if (reply.kind !== 'done') return reply
    const rows = reply.answer.flatMap((one) => one.rows)
    const grown = await worthReading(tools, rows)
    await upsertConversations(tools, rows)
    if (reply.answer.at(-1)?.next === null) await dropAbsent(tools, before, rows)
    for (const id of grown) tools.scheduleRefetch(threadNeed(id, 0))
    // Interrupted changes resume after their last page; a full list at the time when its reading
    // began.
    const cursor = isWhole
      ? reply.answer.find((one) => one.cursor !== null)?.cursor
      : reply.answer.at(-1)?.cursor
    return { kind: 'done', answer: { cursor: cursor ?? null } }
  },
}

function pages({ http }: Tools, since: { readonly updated_after?: string }) {
  return readPages(
    http,
    listConversations,
    { query: { page_size: PAGE_SIZE_MAX, ...since } },
    PAGES_MAX,
    (body) => page(body, readConversation),
  )
}

/**
 * Removes those of `before` that the server does not have. One that changed meanwhile moved to the
 * first page, after that page was read: it stays.
 */
async function dropAbsent(
  { store }: Tools,
  before: readonly ConversationDocument[],
  rows: readonly Conversation[],
): Promise<void> {
  const named = new Set(rows.map(({ id }) => id))
  const absent = before.filter(({ id }) => !named.has(id) && listingOfLocal(id) === null)
  const stored = await store.conversations.findByIds(absent.map(({ id }) => id)).exec()
  await store.conversations.remove(
    absent.flatMap((old) => (deepEqual(old, stored.get(old.id)) ? [old.id] : [])),
  )
}

/**
 * Threads to refetch: those with local messages that have newer ones, and a few unread ones without
 * local messages.
 */
async function worthReading(
  { store, saveData }: Tools,
  rows: readonly Conversation[],
): Promise<readonly string[]> {
  const worth: string[] = []
  let ahead = 0
  for (const { id, last_seq: last, unread_count: unread } of rows) {
    const [newest] = await sent(store, id, 1)
    if (newest === undefined ? unread > 0 && ahead++ < (saveData() ? 0 : AHEAD) : newest.seq < last)
      worth.push(id)
  }
  return worth
}
