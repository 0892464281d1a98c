import { beforeCommit } from '../db/open.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { wake } from '../jobs/wake.ts'
import { rules, type Fact } from './fact.ts'
import { signal } from './context.ts'
import { recording, type Candidate, type Recorded } from './record.ts'

export type Happening = Readonly<{
  to: string | readonly string[]
  /** A user; those who block each other get no notification. */
  by?: string | null
  at: Date
  fact: Fact
  /** By a message: moves the conversation to the top and adds to its unread count. */
  unread?: number
}>

const gathered = new WeakMap<Tx, Happening[]>()

/**
 * To its readers' sockets, notifications and devices [API 4.9, API 14.4], at the end of `tx`, in
 * call order; readers' settings may forbid it.
 */
export function publish(tx: Tx, happening: Happening) {
  const list = gathered.get(tx)
  if (list !== undefined) {
    list.push(happening)
    return
  }
  const fresh = [happening]
  gathered.set(tx, fresh)
  beforeCommit(() => recording(onceEach(fresh.flatMap(candidatesOf))), wakeAll)
}

export const newEvents = signal<readonly string[]>()

function wakeAll(recorded: readonly Recorded[]) {
  if (recorded.length === 0) return
  newEvents.emit([...new Set(recorded.map((row) => row.user_id))])
  if (recorded.some((row) => row.push)) wake('push')
  if (recorded.some((row) => row.mail)) wake('mail')
}

function candidatesOf({ to, fact, by, at, unread }: Happening) {
  const { group, mailAfterMs } = rules[fact.event]
  return [...new Set(typeof to === 'string' ? [to] : to)].map((reader) => ({
    id: newId(at.getTime()),
    list_id: newId(at.getTime()),
    user_id: reader,
    name: fact.event,
    data: fact,
    actor_id: by ?? null,
    conversation_id: 'conversation' in fact ? fact.conversation : null,
    unread: unread ?? null,
    message_seq: fact.event === 'message.created' ? fact.message.seq : null,
    switches: group,
    mail_at: mailAfterMs === null ? null : new Date(at.getTime() + mailAfterMs).toISOString(),
    at: at.toISOString(),
  }))
}

/** One change per conversation, transaction and reader; the last one's position counts. */
function onceEach(candidates: readonly Candidate[]) {
  const keyOf = (row: Candidate) =>
    row.name === 'conversation.updated' ? `${row.user_id} ${row.conversation_id}` : row.id
  const whole = new Map<string, Candidate>()
  for (const row of candidates) {
    const before = whole.get(keyOf(row))?.unread ?? null
    whole.delete(keyOf(row))
    whole.set(keyOf(row), before === null ? row : { ...row, unread: before + (row.unread ?? 0) })
  }
  return [...whole.values()]
}
