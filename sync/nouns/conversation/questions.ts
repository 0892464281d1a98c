import { combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { fold } from '#schema/fold'
import type { ConversationDocument } from '#schema/disk/documents'
import type { QuestionRule, QuestionRules } from '../../noun.ts'
import { threadNeed } from '../message/need.ts'
import { isLocal } from '../message/questions.ts'
import { conversationsNeed } from './need.ts'

const list: QuestionRule<'conversations.list'> = {
  watch: ({ search }, { store }) =>
    combineLatest([store.live('conversations', { index: ['newest'] }), store.liveOne('ownLists', conversationsNeed.key)]).pipe(
      map(([all, book]) => {
        // One that waits for its first photo may be on the server already, without a word: it is shown once.
        const begun = new Set(all.flatMap(({ id, movedTo, listing }) => (isLocal(id) && movedTo === null ? listing.id : [])))
        const rows = all.filter(({ id, movedTo, listing, last_message: last }) => movedTo === null && (last !== null || isLocal(id) || !begun.has(listing.id)))
        return { rows: rows.filter((one) => names(one, fold(search.trim()))), facts: { unread: unreadOf(rows) }, empty: rows.length === 0 && book === null }
      }),
    ),
  needs: (_, { who }) => (who().me === '' ? [] : [conversationsNeed]),
  samples: [{ search: '' }, { search: 'toyota' }],
}

const detail: QuestionRule<'conversation.detail'> = {
  watch: ({ id }, { store, passing }) => {
    const row = store.liveOne('conversations', id)
    const category = row.pipe(
      map((one) => one?.listing.id ?? null),
      distinctUntilChanged(),
      switchMap((listing) => (listing === null ? of(null) : store.liveOne('listings', listing))),
      map((listing) => listing?.category ?? null),
    )
    return combineLatest([row, category, passing.live(`typing:${id}`), store.liveOne('ownLists', threadNeed(id, 0).key)]).pipe(
      map(([one, of, typing, book]) => ({
        rows: one === null ? [] : [one],
        facts: { problem: book?.problem ?? null, typing, movedTo: one?.movedTo ?? null, category: of },
        empty: one === null,
      })),
    )
  },
  needs: ({ id }, { who }) => (who().me === '' || isLocal(id) ? [] : [threadNeed(id, 0)]),
  samples: [{ id: 'C1' }],
}

/** Unread messages over all conversations: it equals the server's number, for it comes from the same data. */
export function unreadOf(conversations: readonly ConversationDocument[]): number {
  return conversations.reduce((sum, { unread_count: unread }) => sum + unread, 0)
}

/** By username, shop name and listing title (API.md 11.2), without accents. */
function names({ participants, listing }: ConversationDocument, text: string): boolean {
  return [listing.title, ...participants.flatMap(({ username, shop_name: shop }) => [username, shop ?? ''])].some((name) => fold(name).includes(text))
}

export const questions = { 'conversations.list': list, 'conversation.detail': detail } satisfies QuestionRules
