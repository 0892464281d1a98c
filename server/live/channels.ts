import { sql } from 'kysely'
import type { Tx } from '../db/tables.ts'
import type { Group } from './fact.ts'

/** Where one event reaches one reader (API.md 12.2). */
export interface Ways {
  /** A row of the list of notifications. */
  readonly listed: boolean
  readonly live: boolean
  readonly push: boolean
  /** The switch alone: whether the address is good is asked when the mail leaves. */
  readonly email: boolean
}

/** Answers for one reader, by the person who caused the event and the group of switches (null: no notification). */
export type Channels = (reader: string, by: string | null, group: Group | null) => Ways

interface Switches {
  user_id: string
  messages_in_app: boolean
  messages_push: boolean
  messages_email: boolean
  announcements_in_app: boolean
  announcements_push: boolean
  announcements_email: boolean
  system_in_app: boolean
  system_push: boolean
  system_email: boolean
}

const NOWHERE: Ways = { listed: false, live: false, push: false, email: false }

/** Reads the switches of all readers and the blocks between them and those who caused the events. */
export async function channelsOf(tx: Tx, happenings: readonly { to: string | readonly string[]; by: string | null }[]): Promise<Channels> {
  const readers = [...new Set(happenings.flatMap((one) => one.to))]
  const actors = [...new Set(happenings.flatMap((one) => one.by ?? []))]
  const { rows: switches } = await sql<Switches>`
    select user_id, messages_in_app, messages_push, messages_email, announcements_in_app, announcements_push, announcements_email,
      system_in_app, system_push, system_email
    from preference where user_id = any(${readers})`.execute(tx)
  const blocks = await blocksBetween(tx, readers, actors)
  const own = new Map(switches.map((row) => [row.user_id, row]))
  return (reader, by, group) => {
    if (group === null) return { ...NOWHERE, live: true }
    if (by !== null && blocks.has(`${by} ${reader}`)) return NOWHERE
    const row = own.get(reader)
    if (row === undefined) return { listed: true, live: true, push: true, email: group === 'system' }
    return { listed: row[`${group}_in_app`], live: row[`${group}_in_app`], push: row[`${group}_push`], email: row[`${group}_email`] }
  }
}

/** API.md 10.6: whoever blocks whom, no notification of one reaches the other. */
async function blocksBetween(tx: Tx, readers: readonly string[], actors: readonly string[]): Promise<Set<string>> {
  if (actors.length === 0) return new Set()
  const { rows } = await sql<{ actor: string; reader: string }>`
    select blocker_id as actor, blocked_id as reader from block where blocker_id = any(${actors}) and blocked_id = any(${readers})
    union all
    select blocked_id as actor, blocker_id as reader from block where blocked_id = any(${actors}) and blocker_id = any(${readers})`.execute(tx)
  return new Set(rows.map((row) => `${row.actor} ${row.reader}`))
}
