import { combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs'
import type { MessageDocument } from '#schema/disk/documents'
import type { QuestionRule, QuestionRules, Store } from '../../noun.ts'
import { threadNeed } from './need.ts'
import { heldOf, shownOnce } from './thread.ts'

/** Oldest first; what waits last. One conversation that began here and got the server's id shows the messages of both. */
const thread: QuestionRule<'messages.thread'> = {
  watch: ({ conversation, limit }, { store, who }) =>
    store.liveOne('conversations', conversation).pipe(
      map((one) => ({ movedTo: one?.movedTo ?? null, peerReadUntil: one?.peer_read_until ?? 0 })),
      distinctUntilChanged((a, b) => a.movedTo === b.movedTo && a.peerReadUntil === b.peerReadUntil),
      switchMap(({ movedTo, peerReadUntil }) =>
        combineLatest([newest(store, conversation, limit), movedTo === null ? of([]) : newest(store, movedTo, limit)]).pipe(
          map(([here, there]) => {
            const rows = [...here, ...there].toSorted((a, b) => a.newest - b.newest).slice(0, limit)
            const { gapBefore } = heldOf(rows, rows.length < limit)
            return { rows: shownOnce(rows, who().me).toReversed(), facts: { gapBefore: gapBefore?.id ?? null, peerReadUntil }, empty: rows.length === 0 }
          }),
        ),
      ),
    ),
  needs: ({ conversation, limit }, { who }) => (who().me === '' || isLocal(conversation) ? [] : [threadNeed(conversation, limit)]),
  samples: [{ conversation: 'C1', limit: 30 }],
}

/** The server does not know it yet. */
export function isLocal(conversation: string): boolean {
  return conversation.startsWith('new-')
}

function newest(store: Store, conversation: string, limit: number) {
  return store.live<'messages'>('messages', { index: ['conversation', 'newest'], equals: { conversation }, limit }).pipe(map((rows): readonly MessageDocument[] => rows))
}

export const questions = { 'messages.thread': thread } satisfies QuestionRules
