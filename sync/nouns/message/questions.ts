import { combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { type Entry, isRemoved } from '#schema/disk/entry'
import { localId } from '#schema/localConversation'
import { payloadOf, type MessageContent } from '#schema/port/command'
import type { QuestionRules, Tools } from '../../noun.ts'
import { deepEqual } from '../tolerant.ts'
import { waitingDocument } from './documents.ts'
import { heldOf, newest, shownOnce, threadNeeds } from './thread.ts'

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
  /** Oldest first, pending ones last. A local conversation shows those of the server's too. */
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
