import type { MessageDocument, MessageState } from '#schema/disk/documents'

type ThreadRow =
  | { readonly kind: 'gap'; readonly id: string }
  | { readonly kind: 'day'; readonly id: string; readonly at: string }
  | { readonly kind: 'unread'; readonly id: string; readonly count: number }
  | BubbleRow

type BubbleRow = Readonly<{
  kind: 'bubble'
  id: string
  messages: readonly MessageDocument[]
  follows: boolean
}>

type Day = Readonly<{
  id: string
  /** null: rows above the first day. */
  at: string | null
  rows: readonly Exclude<ThreadRow, { readonly kind: 'day' }>[]
}>

const ALBUM_MS = 60_000
const TOGETHER_MS = 5 * 60_000

export interface Unread {
  readonly after: number
  readonly upTo: number
}

/** Oldest first, pending last. `gapBefore`: messages are missing above it. */
export function threadRows(
  messages: readonly MessageDocument[],
  options: {
    readonly gapBefore: string | null
    readonly me: string
    readonly unread: Unread | null
  },
): readonly ThreadRow[] {
  const { gapBefore, me, unread } = options
  const rows: ThreadRow[] = []
  const isNew = ({ sender_id, seq }: MessageDocument) =>
    unread !== null && sender_id !== me && seq > unread.after && seq <= unread.upTo
  const count = messages.filter(isNew).length
  let last: MessageDocument | null = null
  let marked = false
  let album: MessageDocument[] = []
  const days = new Map<string, number>()
  for (const message of messages.toSorted((a, b) => a.order - b.order)) {
    const gap = message.id === gapBefore
    if (gap) rows.push({ kind: 'gap', id: `gap-${message.id}` })
    const day = dayOf(message.created_at)
    const newDay = last === null || day !== dayOf(last.created_at)
    if (newDay) {
      // A pending message may be dated by a wrong clock, and its day come twice.
      const times = days.get(day) ?? 0
      days.set(day, times + 1)
      rows.push({ kind: 'day', id: `${day}-${times}`, at: message.created_at })
    }
    const newPart: boolean = !marked && isNew(message)
    if (newPart) rows.push({ kind: 'unread', id: 'unread', count })
    marked ||= newPart
    const joined = !gap && !newDay && !newPart && last !== null
    if (joined && inAlbum(last, message)) album.push(message)
    else {
      album = [message]
      const follows = joined && last !== null && close(last, message, TOGETHER_MS)
      rows.push({ kind: 'bubble', id: message.id, messages: album, follows })
    }
    last = message
  }
  return rows
}

export function daysOf(rows: readonly ThreadRow[]): readonly Day[] {
  const days: { id: string; at: string | null; rows: Day['rows'][number][] }[] = []
  for (const row of rows) {
    if (row.kind === 'day') days.push({ id: row.id, at: row.at, rows: [] })
    else {
      if (days.length === 0) days.push({ id: 'first', at: null, rows: [] })
      days.at(-1)?.rows.push(row)
    }
  }
  return days
}

/** The last may have a text; an answer begins its own bubble. */
function inAlbum(last: MessageDocument | null, message: MessageDocument) {
  return (
    last !== null &&
    hasPhoto(last) &&
    hasPhoto(message) &&
    last.content === '' &&
    (message.reply_to_id ?? null) === null &&
    close(last, message, ALBUM_MS)
  )
}

function hasPhoto({ photo, attachment }: MessageDocument) {
  return photo !== undefined || attachment !== null
}

/** Ouagadougou is at UTC all year, so the UTC date is the local day. */
const dayOf = (moment: string) => moment.slice(0, 10)

function close(a: MessageDocument, b: MessageDocument, within: number) {
  return (
    a.sender_id === b.sender_id &&
    Math.abs(Date.parse(b.created_at) - Date.parse(a.created_at)) < within
  )
}

export function shownFrom(
  rows: readonly Pick<MessageDocument, 'order'>[],
  wanted: number,
  oldest: number,
) {
  const before = rows.findIndex(({ order }) => order >= oldest)
  const newest = Math.max(0, rows.length - wanted)
  return before === -1 ? newest : Math.min(before, newest)
}

/** [SURFACE 2], data-state. */
export function stateOf(
  message: Pick<MessageDocument, 'state' | 'seq'>,
  peerReadUntil: number,
): MessageState {
  return message.state === 'sent' && message.seq <= peerReadUntil ? 'read' : message.state
}

/** 0: none [API 11.6]. */
export function newestSeq(messages: Iterable<Pick<MessageDocument, 'seq' | 'state'>>) {
  let newest = 0
  for (const message of messages)
    if (message.state === 'sent' && message.seq > newest) newest = message.seq
  return newest
}
