import type { MessageDocument, MessageState } from '#schema/disk/documents'

export type ThreadRow =
  | { readonly kind: 'gap'; readonly id: string }
  | { readonly kind: 'day'; readonly id: string; readonly at: string }
  | { readonly kind: 'unread'; readonly id: string; readonly count: number }
  | {
      readonly kind: 'message'
      readonly id: string
      readonly message: MessageDocument
      readonly follows: boolean
    }

const TOGETHER_MS = 5 * 60_000

export interface Unread {
  readonly after: number
  readonly upTo: number
}

/**
 * Oldest first, pending last. `gapBefore`: messages are missing above this one; `dayOf`: local day
 * of a time.
 */
export function threadRows(
  messages: readonly MessageDocument[],
  options: {
    readonly gapBefore: string | null
    readonly me: string
    readonly unread: Unread | null
    readonly dayOf: (moment: string) => string
  },
): readonly ThreadRow[] {
  const { gapBefore, me, unread, dayOf } = options
  const rows: ThreadRow[] = []
  const isNew = ({ sender_id, seq }: MessageDocument): boolean =>
    unread !== null && sender_id !== me && seq > unread.after && seq <= unread.upTo
  const count = messages.filter(isNew).length
  let last: MessageDocument | null = null
  let marked = false
  for (const message of messages.toSorted((a, b) => a.order - b.order)) {
    const gap = message.id === gapBefore
    if (gap) rows.push({ kind: 'gap', id: `gap-${message.id}` })
    const newDay = last === null || dayOf(message.created_at) !== dayOf(last.created_at)
    if (newDay) rows.push({ kind: 'day', id: `day-${message.id}`, at: message.created_at })
    const newPart: boolean = !marked && isNew(message)
    if (newPart) rows.push({ kind: 'unread', id: 'unread', count })
    marked ||= newPart
    const follows = !gap && !newDay && !newPart && last !== null && close(last, message)
    rows.push({ kind: 'message', id: message.id, message, follows })
    last = message
  }
  return rows
}

function close(a: MessageDocument, b: MessageDocument): boolean {
  return (
    a.sender_id === b.sender_id &&
    Math.abs(Date.parse(b.created_at) - Date.parse(a.created_at)) < TOGETHER_MS
  )
}

export function shownFrom(
  rows: readonly Pick<MessageDocument, 'order'>[],
  wanted: number,
  oldest: number,
): number {
  const before = rows.findIndex(({ order }) => order >= oldest)
  const newest = Math.max(0, rows.length - wanted)
  return before === -1 ? newest : Math.min(before, newest)
}

/** An own message is read once the peer's read position has passed it ([SURFACE 2], data-state). */
export function stateOf(
  message: Pick<MessageDocument, 'state' | 'seq'>,
  peerReadUntil: number,
): MessageState {
  return message.state === 'sent' && message.seq <= peerReadUntil ? 'read' : message.state
}

/** The newest `seq` among the seen messages; 0: none [API 11.6]. */
export function newestSeq(messages: Iterable<Pick<MessageDocument, 'seq' | 'state'>>): number {
  let newest = 0
  for (const message of messages)
    if (message.state === 'sent' && message.seq > newest) newest = message.seq
  return newest
}
