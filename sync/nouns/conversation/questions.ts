import { combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { fold } from '#schema/fold'
import { type Entry, isRemoved } from '#schema/disk/entry'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { listingOfLocal, localId } from '#schema/localConversation'
import { type MessageContent, payloadOf } from '#schema/port/command'
import { listConversations, type Conversation } from '#schema/wire/conversation'
import { message } from '#schema/wire/message'
import type {
  ConversationDocument,
  ConversationRow,
  Need,
  QuestionRules,
  Tools,
} from '../../noun.ts'
import { forSignedIn, mapAnswer, readPages, removeAbsent, sinceCursor } from '../needs.ts'
import { deepEqual, fill, page, text } from '../tolerant.ts'
import { readConversation, upsertConversations, waitingDocument } from './documents.ts'
import { heldOf, newest, sent, shownOnce, threadNeed, threadNeeds } from './thread.ts'

/** Older ones come with their next event. */
const PAGES_MAX = 5
const AHEAD = 5

/** [API 3] */
export const conversationsNeed: Need = {
  key: 'conversations',
  personal: true,
  freshMs: 60_000,
  async fetch(tools, { known }) {
    const changes = await sinceCursor(known, (after) => pages(tools, { updated_after: after }))
    const stored = changes ? [] : await tools.store.conversations.find().exec()
    const before = stored.filter(({ id }) => listingOfLocal(id) === null)
    const reply = changes ?? (await pages(tools, {}))
    return mapAnswer(reply, async (all) => {
      const rows = all.flatMap((one) => one.rows)
      const grown = await worthReading(tools, rows)
      await upsertConversations(tools, rows)
      // A conversation moves to the first page when it changes, maybe after that page was read.
      if (all.at(-1)?.next === null) await removeAbsent(tools.store.conversations, before, rows)
      for (const id of grown) tools.scheduleRefetch(threadNeed(id, 0))
      // Interrupted changes resume after their last page, a full list from when it began.
      const from = changes ? all.at(-1) : all.find((one) => one.cursor !== null)
      return { cursor: from?.cursor ?? null }
    })
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

async function worthReading({ store, saveData }: Tools, rows: readonly Conversation[]) {
  const worth: string[] = []
  let ahead = 0
  for (const { id, last_seq: last, unread_count: unread } of rows) {
    const [newest] = await sent(store, id, 1)
    if (newest === undefined ? unread > 0 && ahead++ < (saveData() ? 0 : AHEAD) : newest.seq < last)
      worth.push(id)
  }
  return worth
}

function withUnsent(
  documents: readonly ConversationDocument[],
  entries: readonly Entry[],
  me: string,
): readonly ConversationRow[] {
  const currentIds = new Map(documents.map(({ id, movedTo }) => [id, movedTo ?? id]))
  const unsent = new Map<string, Entry>()
  for (const entry of entries) {
    const { conversation, listing } = entry.payload
    const id =
      entry.name === 'conversation.start'
        ? (currentIds.get(localId(text(listing) ?? '')) ?? text(conversation))
        : entry.name === 'message.send'
          ? text(conversation)
          : null
    if (id !== null) unsent.set(currentIds.get(id) ?? id, entry)
  }
  return documents.map((one) => {
    const entry = unsent.get(one.id)
    // The message may arrive by an event before the answer.
    if (entry === undefined || entry.id === one.last_message?.client_id)
      return { ...one, unsent: null }
    const { id: client_id, payload, bornAt, state } = entry
    const last_message = fill(message.entries, payload, {
      id: '',
      conversation: one.id,
      client_id,
      sender_id: me,
      created_at: new Date(bornAt).toISOString(),
    })
    return { ...one, last_message, unsent: state === 'refused' ? 'refused' : 'queued' }
  })
}

export function unreadOf(conversations: readonly ConversationDocument[]) {
  return conversations.reduce((sum, { unread_count: unread }) => sum + unread, 0)
}

/** [API 11.2] */
function isNamed({ participants, listing }: ConversationDocument, wanted: string) {
  const names = participants.flatMap(({ username, shop_name: shop }) => [username, shop ?? ''])
  return [listing.title, ...names].some((name) => fold(name).includes(wanted))
}

/** With full storage their documents may be missing. */
function waitingIn(conversation: string, { outbox, currentUser }: Tools) {
  return outbox.pipe(
    map((entries) =>
      entries.flatMap((entry) => {
        const payload = isRemoved(entry) ? null : contentIn(entry, conversation)
        if (payload === null) return []
        const state =
          entry.state === 'refused' ? 'refused' : entry.state === 'acknowledged' ? 'sent' : 'queued'
        const queued = { ...entry, createdAt: entry.bornAt, payload }
        return [waitingDocument(queued, currentUser(), conversation, state)]
      }),
    ),
    distinctUntilChanged(deepEqual),
  )
}

function contentIn({ name, payload }: Entry, conversation: string): MessageContent | null {
  if (name === 'message.send') {
    const sent = payloadOf(name, payload)
    return sent?.conversation === conversation ? sent : null
  }
  const start = name === 'conversation.start' ? payloadOf(name, payload) : null
  return start && (start.conversation ?? localId(start.listing)) === conversation ? start : null
}

export const questions = {
  'conversations.list': {
    watch: ({ search }, { store, outbox, currentUser }) =>
      combineLatest([store.conversations.find().$, outbox]).pipe(
        map(([documents, entries]) => {
          const rows = withUnsent(documents, entries, currentUser().me).filter(
            ({ movedTo }) => movedTo === null,
          )
          return {
            rows: rows.filter((one) => isNamed(one, fold(search.trim()))),
            facts: { unread: unreadOf(rows) },
            noDataYet: rows.length === 0,
          }
        }),
      ),
    needs: forSignedIn(conversationsNeed),
  },
  'conversation.detail': {
    watch: ({ id }, { store, ephemeral }) => {
      const row = store.conversations.findOne(id).$
      const category = row.pipe(
        map((one) => one?.listing.id ?? null),
        distinctUntilChanged(),
        switchMap((listing) => (listing === null ? of(null) : store.listings.findOne(listing).$)),
        map((listing) => listing?.category ?? null),
      )
      return combineLatest([row, category, ephemeral.observe(`typing:${id}`)]).pipe(
        map(([one, listingCategory, typing]) => ({
          rows: one ? [one] : [],
          facts: { typing, category: listingCategory },
        })),
      )
    },
    needs: ({ id }, tools) => threadNeeds(id, 0, tools),
  },
  /** A local conversation shows those of the server's too. */
  'messages.thread': {
    watch: ({ conversation, limit }, tools) => {
      const { store, currentUser } = tools
      return store.conversations.findOne(conversation).$.pipe(
        map((one) => ({ movedTo: one?.movedTo ?? null, peerReadUntil: one?.peer_read_until ?? 0 })),
        distinctUntilChanged(deepEqual),
        switchMap(({ movedTo, peerReadUntil }) =>
          combineLatest([
            newest(store, conversation, limit).$,
            movedTo === null ? of([]) : newest(store, movedTo, limit).$,
            waitingIn(conversation, tools),
          ]).pipe(
            map(([own, moved, waiting]) => {
              const stored = [...own, ...moved]
              const missing = waiting.filter(({ id }) => !stored.some((row) => row.id === id))
              const rows = [...stored, ...missing]
                .toSorted((a, b) => a.newest - b.newest)
                .slice(0, limit)
              const { gapBefore } = heldOf(rows, rows.length < limit)
              return {
                rows: shownOnce(rows, currentUser().me).toReversed(),
                facts: { gapBefore: gapBefore?.id ?? null, peerReadUntil },
              }
            }),
          ),
        ),
      )
    },
    needs: ({ conversation, limit, local }, tools) =>
      local ? [] : threadNeeds(conversation, limit, tools),
  },
} satisfies QuestionRules
