import type { MessageDocument, MessageState } from '#schema/disk/documents'

export type ThreadRow =
  | { readonly kind: 'gap' }
  | { readonly kind: 'day'; readonly id: string; readonly at: string }
  | { readonly kind: 'unread'; readonly id: string; readonly count: number }
  | { readonly kind: 'message'; readonly id: string; readonly message: MessageDocument; readonly follows: boolean }

/** Bubbles of one sender within this time sit close together. */
const TOGETHER_MS = 5 * 60_000

/**
 * A thread from its oldest known message on: day lines, the line above what is new, and messages, pending last.
 * `dayOf` names the local day of a moment; `readUntil` is the mark with which the screen was opened, null: no line.
 */
export function threadRows(
  messages: readonly MessageDocument[],
  options: {
    readonly hasGap: boolean
    readonly me: string
    readonly readUntil: number | null
    readonly dayOf: (moment: string) => string
  },
): readonly ThreadRow[] {
  const { hasGap, me, readUntil, dayOf } = options
  const rows: ThreadRow[] = hasGap ? [{ kind: 'gap' }] : []
  const ordered = messages.toSorted((a, b) => a.order - b.order)
  const isNew = (message: MessageDocument): boolean => readUntil !== null && message.sender_id !== me && message.seq > readUntil
  const count = ordered.filter(isNew).length
  let last: MessageDocument | null = null
  let marked = false
  for (const message of ordered) {
    const newDay = last === null || dayOf(message.created_at) !== dayOf(last.created_at)
    if (newDay) rows.push({ kind: 'day', id: `day-${message.id}`, at: message.created_at })
    const newPart: boolean = !marked && isNew(message)
    if (newPart) rows.push({ kind: 'unread', id: 'unread', count })
    marked ||= newPart
    rows.push({ kind: 'message', id: message.id, message, follows: !newDay && !newPart && last !== null && close(last, message) })
    last = message
  }
  return rows
}

function close(a: MessageDocument, b: MessageDocument): boolean {
  return a.sender_id === b.sender_id && Math.abs(Date.parse(b.created_at) - Date.parse(a.created_at)) < TOGETHER_MS
}

/** What a bubble says of its way: an own message is read once the peer's mark has passed it (SURFACE.md, data-state). */
export function stateOf(message: Pick<MessageDocument, 'state' | 'seq'>, peerReadUntil: number): MessageState {
  return message.state === 'sent' && message.seq <= peerReadUntil ? 'read' : message.state
}

/** The newest `seq` among what was really seen; 0: nothing (API.md 11.6). */
export function newestSeq(messages: Iterable<Pick<MessageDocument, 'seq' | 'state'>>): number {
  let newest = 0
  for (const message of messages) if (message.state === 'sent' && message.seq > newest) newest = message.seq
  return newest
}
