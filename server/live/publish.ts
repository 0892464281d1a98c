import { sql } from 'kysely'
import { afterCommit, beforeCommit } from '../db/open.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { wake } from '../jobs/wake.ts'
import { groupOf, mailWait, type Fact } from './fact.ts'
import { channelsOf, type Channels } from './channels.ts'
import { advance } from './tape.ts'

export interface Happening {
  readonly to: string | readonly string[]
  /** Who caused it, or null when nobody in particular did. Between people who block each other no notification is made. */
  readonly by: string | null
  readonly at: Date
  readonly fact: Fact
}

const gathered = new WeakMap<Tx, Happening[]>()

/**
 * Tells people what happened (API.md 4.9, 14.4): their sockets, their list of notifications, their phones.
 * It is written as the last thing of the transaction `tx`, so it is there exactly when the effect is, and each reader
 * gets the happenings of one transaction in the order of the calls. What a reader's switches forbid is left out.
 *
 *     publish(tx, { to: ownerId, by: null, at: now, fact: { event: 'listing.published', listing: id, title, image } })
 */
export function publish(tx: Tx, happening: Happening): void {
  const list = gathered.get(tx)
  if (list !== undefined) {
    list.push(happening)
    return
  }
  const fresh = [happening]
  gathered.set(tx, fresh)
  beforeCommit((same) => write(same, fresh))
}

type Listener = (users: readonly string[]) => void
const listeners = new Set<Listener>()

/** Calls `listener` after each commit of this process with the people who have something new; answers how to stop. */
export function onPublished(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

interface EventRow {
  readonly id: string
  readonly user_id: string
  readonly name: string
  readonly data: Fact
  readonly actor_id: string | null
  readonly conversation_id: string | null
  readonly message_seq: number | null
  readonly notification_id: string | null
  readonly live: boolean
  readonly push: boolean
  /** When a mail may tell of it, or null for never. */
  readonly mail_at: string | null
  readonly at: string
}

async function write(tx: Tx, happenings: readonly Happening[]): Promise<void> {
  const channels = await channelsOf(tx, happenings)
  const rows = onceEach(happenings.flatMap((happening) => rowsOf(happening, channels)))
  if (rows.length === 0) return
  const next = await advance(tx, rows.map((row) => row.user_id))
  await insert(tx, rows.map((row) => ({ ...row, seq: next(row.user_id) })))
  const users = [...new Set(rows.map((row) => row.user_id))]
  afterCommit(() => {
    for (const listener of listeners) listener(users)
    if (rows.some((row) => row.push)) wake('push')
    if (rows.some((row) => row.mail_at !== null)) wake('mail')
  })
}

function rowsOf(happening: Happening, channels: Channels): EventRow[] {
  const { fact, by, at } = happening
  const readers = typeof happening.to === 'string' ? [happening.to] : happening.to
  return [...new Set(readers)].flatMap((reader) => {
    const ways = channels(reader, by, groupOf(fact.event))
    const wait = ways.email ? mailWait(fact.event) : null
    if (!ways.live && !ways.push && wait === null) return []
    return {
      id: newId(at.getTime()),
      user_id: reader,
      name: fact.event,
      data: fact,
      actor_id: by,
      conversation_id: 'conversation' in fact ? fact.conversation : null,
      message_seq: fact.event === 'message.created' ? fact.message.seq : null,
      notification_id: ways.listed ? newId(at.getTime()) : null,
      live: ways.live,
      push: ways.push,
      mail_at: wait === null ? null : new Date(at.getTime() + wait).toISOString(),
      at: at.toISOString(),
    }
  })
}

/** Several changes of one conversation in one transaction are one change for its reader; the last place counts. */
function onceEach(rows: readonly EventRow[]): EventRow[] {
  const keyOf = (row: EventRow) => (row.name === 'conversation.updated' ? `${row.user_id} ${row.conversation_id}` : row.id)
  const last = new Map(rows.map((row) => [keyOf(row), row]))
  return rows.filter((row) => last.get(keyOf(row)) === row)
}

/** Events, the places of what changed with them, and the pushes and mails that follow, in one trip to the database. */
async function insert(tx: Tx, rows: readonly (EventRow & { seq: number })[]): Promise<void> {
  await sql`
    with row as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
        id text, user_id text, seq bigint, name text, data jsonb, actor_id text, conversation_id text,
        message_seq integer, notification_id text, live boolean, push boolean, mail_at timestamptz, at timestamptz)
    ), moved as (
      update participant set change = row.seq, updated_at = row.at from row
      where row.name = 'conversation.updated'
        and participant.user_id = row.user_id and participant.conversation_id = row.conversation_id
    ), numbered as (
      -- rows that became read in this transaction wait for their place with a negative one
      update event set change = latest.seq
      from (select user_id, max(seq) as seq from row where name = 'notification.read' group by user_id) as latest
      where event.user_id = latest.user_id and event.change < 0
    ), pushed as (
      insert into push (event_id, user_id, run_at, created_at)
      select id, user_id, at, at from row where push and exists (select from push_subscription s where s.user_id = row.user_id)
    ), mailed as (
      insert into job (id, kind, payload, run_at, created_at)
      select id, 'mail', jsonb_build_object('about', 'event', 'user', user_id, 'event', id), mail_at, at from row where mail_at is not null
    )
    insert into event (id, user_id, seq, name, data, actor_id, conversation_id, message_seq, notification_id, live, change, changed_at, created_at)
    select id, user_id, seq, name, data, actor_id, conversation_id, message_seq, notification_id, live, seq, at, at from row`.execute(tx)
}
