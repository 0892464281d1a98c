import { combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { fold } from '#schema/fold'
import type { ConversationDocument } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import { listingOfLocal, localId } from '#schema/localConversation'
import type { ConversationRow } from '#schema/port/question'
import type { Message } from '#schema/wire/message'
import type { QuestionRule, QuestionRules } from '../../noun.ts'
import { threadNeed } from '../message/need.ts'
import { forSignedIn } from '../needs.ts'
import { text } from '../tolerant.ts'
import { conversationsNeed } from './need.ts'

const list: QuestionRule<'conversations.list'> = {
  watch: ({ search }, { store, outbox, currentUser }) =>
    combineLatest([
      store.conversations.find({ sort: [{ newest: 'asc' }] }).$,
      store.ownLists.findOne(conversationsNeed.key).$,
      outbox,
    ]).pipe(
      map(([documents, known, entries]) => {
        const rows = withUnsent(documents, entries, currentUser().me).filter(
          ({ movedTo }) => movedTo === null,
        )
        return {
          rows: rows.filter((one) => isNamed(one, fold(search.trim()))),
          facts: { unread: unreadOf(rows) },
          noDataYet: rows.length === 0 && known === null,
        }
      }),
    ),
  needs: forSignedIn(conversationsNeed),
  samples: [{ search: '' }, { search: 'toyota' }],
}

const detail: QuestionRule<'conversation.detail'> = {
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
        noDataYet: one === null,
      })),
    )
  },
  needs: ({ id }, { currentUser }) =>
    currentUser().me === '' || listingOfLocal(id) !== null ? [] : [threadNeed(id, 0)],
  samples: [{ id: 'C1' }],
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
    return entry === undefined || entry.id === one.last_message?.client_id
      ? { ...one, unsent: null }
      : {
          ...one,
          last_message: messageOf(entry, one.id, me),
          unsent: entry.state === 'refused' ? 'refused' : 'queued',
        }
  })
}

function messageOf({ id, payload, bornAt }: Entry, conversation: string, me: string): Message {
  return {
    id: '',
    conversation,
    seq: 0,
    client_id: id,
    content: text(payload['content']) ?? '',
    sender_username: '',
    sender_id: me,
    attachment: null,
    created_at: new Date(bornAt).toISOString(),
  }
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
  'conversations.list': list,
  'conversation.detail': detail,
} satisfies QuestionRules
