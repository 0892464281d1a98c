import type { ConversationDocument } from '#schema/disk/documents'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { listingOfLocal } from '#schema/localConversation'
import { listConversations, type Conversation } from '#schema/wire/conversation'
import type { Need, ListUpdate, CallResult, Tools } from '../../noun.ts'
import { threadNeed } from '../message/need.ts'
import { PENDING } from '../message/read.ts'
import { deepEqual, page, type Page } from '../tolerant.ts'
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
    const cursor = known?.cursor ?? null
    const delta = cursor === null ? null : await pages(tools, { updated_after: cursor })
    const expired = delta !== null && delta.kind === 'refused' && delta.status === 410
    const before =
      delta === null || expired
        ? await tools.store.find('conversations', { index: ['newest'] })
        : []
    const reply = delta === null || expired ? await pages(tools, {}) : delta
    if (reply.kind !== 'done') return reply
    const { rows, whole, cursor: next } = reply.answer
    const grown = await worthReading(tools, rows)
    await upsertConversations(tools, rows)
    if (whole) await dropAbsent(tools, rows, before)
    for (const id of grown) tools.scheduleRefetch(threadNeed(id, 0))
    return { ...reply, answer: { cursor: next } satisfies ListUpdate }
  },
}

interface Found {
  readonly rows: readonly Conversation[]
  readonly whole: boolean
  readonly cursor: string | null
}

/** Each page has a cursor, so that an interrupted catch-up resumes there. */
async function pages(
  tools: Tools,
  query: { readonly updated_after?: string },
): Promise<CallResult<Found>> {
  const rows: Conversation[] = []
  let next: string | null = null
  let cursor: string | null = null
  for (let n = 0; n < PAGES_MAX; n++) {
    const ask: { readonly next?: string; readonly query: object } = {
      query: { page_size: PAGE_SIZE_MAX, ...query },
      ...(next !== null && { next }),
    }
    const reply: CallResult<Page<Conversation>> = await tools.http.call(
      listConversations,
      ask,
      (body) => page(body, readConversation),
    )
    if (reply.kind !== 'done') return reply
    rows.push(...reply.answer.rows)
    // A full list resumes from its first page's cursor (its start time), a delta from its last one.
    cursor =
      query.updated_after === undefined ? (cursor ?? reply.answer.cursor) : reply.answer.cursor
    next = reply.answer.next
    if (next === null) break
  }
  return { kind: 'done', answer: { rows, whole: next === null, cursor } }
}

/**
 * Removes conversations that the full list does not have, except those started locally. One that
 * changed meanwhile moved to the first page, after that page was read.
 */
async function dropAbsent(
  { store }: Tools,
  rows: readonly Conversation[],
  before: readonly ConversationDocument[],
): Promise<void> {
  const named = new Set(rows.map(({ id }) => id))
  const absent = before.filter(({ id }) => !named.has(id) && listingOfLocal(id) === null)
  const here = await store.many(
    'conversations',
    absent.map(({ id }) => id),
  )
  await store.remove(
    'conversations',
    here.filter((one) => absent.some((old) => deepEqual(old, one))).map(({ id }) => id),
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
    const [newest] = await store.find('messages', {
      index: ['conversation', 'newest'],
      equals: { conversation: id },
      after: -PENDING,
      limit: 1,
    })
    if (newest === undefined ? unread > 0 && ahead++ < (saveData() ? 0 : AHEAD) : newest.seq < last)
      worth.push(id)
  }
  return worth
}
