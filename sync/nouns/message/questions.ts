import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from 'rxjs'
import * as v from 'valibot'
import type { MessageDocument } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import { listingOfLocal, localId } from '#schema/localConversation'
import { commands, type MessageContent } from '#schema/port/command'
import type { QuestionRule, QuestionRules, Store, Tools } from '../../noun.ts'
import { threadNeed } from './need.ts'
import { waitingDocument } from './read.ts'
import { heldOf, shownOnce } from './thread.ts'

/**
 * Oldest first, pending ones last. A local conversation linked to the server's shows the messages
 * of both.
 */
const thread: QuestionRule<'messages.thread'> = {
  watch: ({ conversation, limit }, { store, currentUser, outbox }) =>
    store.observeOne('conversations', conversation).pipe(
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
          map(([here, there, waiting]) => {
            const kept = [...here, ...there]
            const missing = waiting.filter(({ id }) => !kept.some((row) => row.id === id))
            const rows = [...kept, ...missing]
              .toSorted((a, b) => a.newest - b.newest)
              .slice(0, limit)
            const { gapBefore } = heldOf(rows, rows.length < limit)
            return {
              rows: shownOnce(rows, currentUser().me).toReversed(),
              facts: { gapBefore: gapBefore?.id ?? null, peerReadUntil },
              empty: rows.length === 0,
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
        // An acknowledged entry with a problem was removed.
        const said =
          entry.state === 'acknowledged' && entry.problem !== null
            ? null
            : saidIn(entry, conversation)
        const state =
          entry.state === 'refused' ? 'refused' : entry.state === 'acknowledged' ? 'sent' : 'queued'
        return said === null
          ? []
          : [
              waitingDocument(
                { ...entry, sequence: entry.place, createdAt: entry.bornAt, payload: said },
                who(),
                conversation,
                state,
              ),
            ]
      }),
    ),
    distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
  )
}

/** null: not a message of this conversation. */
function saidIn({ name, payload }: Entry, conversation: string): MessageContent | null {
  const send = name === 'message.send' ? v.safeParse(commands[name], payload) : null
  if (send?.success === true) return send.output.conversation === conversation ? send.output : null
  const start = name === 'conversation.start' ? v.safeParse(commands[name], payload) : null
  return start?.success === true &&
    (start.output.conversation ?? localId(start.output.listing)) === conversation
    ? start.output
    : null
}

function newest(store: Store, conversation: string, limit: number) {
  return store
    .observe<'messages'>('messages', {
      index: ['conversation', 'newest'],
      equals: { conversation },
      limit,
    })
    .pipe(map((rows): readonly MessageDocument[] => rows))
}

export const questions = { 'messages.thread': thread } satisfies QuestionRules
