import type { ConversationDocument } from '#schema/disk/documents'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { listingOfLocal } from '#schema/localConversation'
import { listConversations, type Conversation } from '#schema/wire/conversation'
import type { Need, CallResult, Tools } from '../../noun.ts'
import { threadNeed } from '../message/need.ts'
import { PENDING } from '../message/read.ts'
import { changesOrAll, readPages } from '../needs.ts'
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
    const reply = await changesOrAll(
      known?.cursor ?? null,
      (updated_after) => changesSince(tools, updated_after),
      () => all(tools),
    )
    if (reply.kind !== 'done') return reply
    const { rows, absent, cursor } = reply.answer
    const grown = await worthReading(tools, rows)
    await upsertConversations(tools, rows)
    await dropAbsent(tools, absent)
    for (const id of grown) tools.scheduleRefetch(threadNeed(id, 0))
    return { ...reply, answer: { cursor } }
  },
}

interface Fetched {
  readonly rows: readonly Conversation[]
  /** Local conversations that the full list does not have. */
  readonly absent: readonly ConversationDocument[]
  readonly cursor: string | null
}

/** Each page has a cursor, so that an interrupted catch-up resumes there. */
async function changesSince(tools: Tools, updated_after: string): Promise<CallResult<Fetched>> {
  const reply = await pages(tools, { updated_after })
  if (reply.kind !== 'done') return reply
  const rows = reply.answer.flatMap((one) => one.rows)
  const cursor = reply.answer.at(-1)?.cursor ?? null
  return { kind: 'done', answer: { rows, absent: [], cursor } }
}

/** Resumes from the first page's cursor, which is the time when the reading began. */
async function all(tools: Tools): Promise<CallResult<Fetched>> {
  // A conversation that arrives during the fetch may not be in the answer.
  const before = await tools.store.conversations.find({ sort: [{ newest: 'asc' }] }).exec()
  const reply = await pages(tools, {})
  if (reply.kind !== 'done') return reply
  const rows = reply.answer.flatMap((one) => one.rows)
  const named = new Set(rows.map(({ id }) => id))
  const whole = reply.answer.at(-1)?.next === null
  const absent = before.filter(({ id }) => whole && !named.has(id) && listingOfLocal(id) === null)
  const cursor = reply.answer.find((one) => one.cursor !== null)?.cursor ?? null
  return { kind: 'done', answer: { rows, absent, cursor } }
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

/** One that changed meanwhile moved to the first page, after that page was read: it stays. */
async function dropAbsent(
  { store }: Tools,
  absent: readonly ConversationDocument[],
): Promise<void> {
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
    const [newest] = await store.messages
      .find({
        selector: { conversation: id, newest: { $gt: -PENDING } },
        sort: [{ newest: 'asc' }],
        limit: 1,
      })
      .exec()
    if (newest === undefined ? unread > 0 && ahead++ < (saveData() ? 0 : AHEAD) : newest.seq < last)
      worth.push(id)
  }
  return worth
}
