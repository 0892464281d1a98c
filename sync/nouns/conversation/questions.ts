import { combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { fold } from '#schema/fold'
import type { ConversationDocument } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import { localId } from '#schema/localConversation'
import type { ConversationRow } from '#schema/port/question'
import { message } from '#schema/wire/message'
import type { QuestionRules } from '../../noun.ts'
import { threadNeed, threadNeeds } from '../message/need.ts'
import { forSignedIn } from '../needs.ts'
import { fill, text } from '../tolerant.ts'
import { conversationsNeed } from './need.ts'

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

/** Unread messages of all conversations; equals the server's count, which uses the same data. */
export function unreadOf(conversations: readonly ConversationDocument[]): number {
  return conversations.reduce((sum, { unread_count: unread }) => sum + unread, 0)
}

/** Matches username, shop name and listing title [API 11.2], ignoring accents. */
function isNamed({ participants, listing }: ConversationDocument, wanted: string): boolean {
  return [
    listing.title,
    ...participants.flatMap(({ username, shop_name: shop }) => [username, shop ?? '']),
  ].some((name) => fold(name).includes(wanted))
}

export const questions = {
  'conversations.list': {
    watch: ({ search }, { store, outbox, currentUser }) =>
      combineLatest([store.conversations.find({ sort: [{ newest: 'asc' }] }).$, outbox]).pipe(
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
      return combineLatest([
        row,
        category,
        ephemeral.observe(`typing:${id}`),
        store.ownLists.findOne(threadNeed(id, 0).key).$,
      ]).pipe(
        map(([one, listingCategory, typing, known]) => ({
          rows: one === null ? [] : [one],
          facts: {
            problem: known?.problem ?? null,
            typing,
            movedTo: one?.movedTo ?? null,
            category: listingCategory,
          },
        })),
      )
    },
    needs: ({ id }, tools) => threadNeeds(id, 0, tools),
  },
} satisfies QuestionRules
