import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from 'rxjs'
import type { MessageDocument } from '#schema/disk/documents'
import { type Entry, isWithdrawn } from '#schema/disk/entry'
import { listingOfLocal, localId } from '#schema/localConversation'
import { payloadOf, type MessageContent } from '#schema/port/command'
import type { QuestionRule, QuestionRules, Store, Tools } from '../../noun.ts'
import { deepEqual } from '../tolerant.ts'
import { threadNeed } from './need.ts'
import { waitingDocument } from './read.ts'
import { heldOf, shownOnce } from './thread.ts'

/**
 * Oldest first, pending ones last. A local conversation linked to the server's shows the messages
 * of both.
 */
const thread: QuestionRule<'messages.thread'> = {
  watch: ({ conversation, limit }, { store, currentUser, outbox }) =>
    store.conversations.findOne(conversation).$.pipe(
      map((one) => ({ movedTo: one?.movedTo ?? null, peerReadUntil: one?.peer_read_until ?? 0 })),
      distinctUntilChanged(
        (a, b) => a.movedTo === b.movedTo && a.peerReadUntil === b.peerReadUntil,
      ),
      switchMap(({ movedTo, peerReadUntil }) =>
        combineLatest([
          newest(store, conversation, limit),
          movedTo === null ? of([]) : newest(store, movedTo, limit),
          waitingIn(conversation, outbox, currentUser),
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
              noDataYet: rows.length === 0,
            }
          }),
        ),
      ),
    ),
  needs: ({ conversation, limit }, { currentUser }) =>
    currentUser().me === '' || listingOfLocal(conversation) !== null
      ? []
      : [threadNeed(conversation, limit)],
  samples: [{ conversation: 'C1', limit: 30 }],
}

/** Waiting messages from the outbox: with full storage their documents may be missing. */
function waitingIn(
  conversation: string,
  outbox: Tools['outbox'],
  who: Tools['currentUser'],
): Observable<readonly MessageDocument[]> {
  return outbox.pipe(
    map((entries) =>
      entries.flatMap((entry) => {
        const payload = isWithdrawn(entry) ? null : contentIn(entry, conversation)
        const state =
          entry.state === 'refused' ? 'refused' : entry.state === 'acknowledged' ? 'sent' : 'queued'
        return payload === null
          ? []
          : [
              waitingDocument(
                { ...entry, sequence: entry.sequence, createdAt: entry.bornAt, payload },
                who(),
                conversation,
                state,
              ),
            ]
      }),
    ),
    distinctUntilChanged(deepEqual),
  )
}

/** null: not a message of this conversation. */
function contentIn({ name, payload }: Entry, conversation: string): MessageContent | null {
  if (name === 'message.send') {
    const sent = payloadOf(name, payload)
    return sent?.conversation === conversation ? sent : null
  }
  const start = name === 'conversation.start' ? payloadOf(name, payload) : null
  return start && (start.conversation ?? localId(start.listing)) === conversation ? start : null
}

function newest(store: Store, conversation: string, limit: number) {
  return store.messages.find({ selector: { conversation }, sort: [{ newest: 'asc' }], limit }).$
}

export const questions = { 'messages.thread': thread } satisfies QuestionRules
