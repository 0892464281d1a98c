import { sql } from 'kysely'
import { SOCKETS_PER_USER } from '#schema/limits'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/tables.ts'

/** Then a process without a heartbeat is dead, and its sockets with it. */
const DEAD_MS = 30_000
/** A statement has at most 65,535 parameters. */
const BATCH = 1000

type Enrolled = Readonly<{
  id: string
  user: string
  session: string
  visible: boolean
}>

/** Sockets of all processes, for the limit per user and for whether a user is looking. */
export function presenceOf(database: Database, process: string) {
  const { db } = database
  const rowOf = ({ id, user, session, visible }: Enrolled, opened_at: Date) => ({
    id,
    process_id: process,
    user_id: user,
    session_id: session,
    visible,
    opened_at,
  })
  const insert = (rows: readonly ReturnType<typeof rowOf>[]) =>
    db
      .insertInto('live_socket')
      .values(rows)
      .onConflict((row) => row.column('id').doNothing())
      .execute()
  return {
    /**
     * Deletes dead processes. One that was considered dead, or lost its rows in a crash (these
     * tables are unlogged), registers its sockets again.
     */
    async sign(now: Date, sockets: Iterable<Enrolled> = []) {
      const { rows } = await sql<{ is_new: boolean }>`
        with gone as (delete from live_process where seen_at < ${aliveSince(now)} and id <> ${process} returning id),
          closed as (delete from live_socket where process_id in (select id from gone))
        insert into live_process (id, seen_at) values (${process}, ${now})
        on conflict (id) do update set seen_at = excluded.seen_at
        returning xmax = 0 as is_new`.execute(db)
      if (rows[0]?.is_new !== true) return
      const mine = [...sockets].map((socket) => rowOf(socket, now))
      for (let n = 0; n < mine.length; n += BATCH) {
        await insert(mine.slice(n, n + BATCH))
      }
    },

    /** Resolves to the sockets above the limit, oldest first ([API 14.1], code 4409). */
    async enter(socket: Enrolled, now: Date) {
      await insert([rowOf(socket, now)])
      const open = await liveSockets(db, now)
        .select('s.id')
        .where('s.user_id', '=', socket.user)
        .orderBy('s.id', 'desc')
        .execute()
      return open
        .slice(SOCKETS_PER_USER)
        .map((row) => row.id)
        .toReversed()
    },

    async leave(sockets: readonly string[]) {
      await db.deleteFrom('live_socket').where('id', 'in', sockets).execute()
    },

    async look(socket: string, visible: boolean) {
      await db.updateTable('live_socket').set({ visible }).where('id', '=', socket).execute()
    },

    async resign() {
      await db.deleteFrom('live_socket').where('process_id', '=', process).execute()
      await db.deleteFrom('live_process').where('id', '=', process).execute()
    },
  }
}
export type Presence = ReturnType<typeof presenceOf>

const aliveSince = (now: Date) => new Date(now.getTime() - DEAD_MS)

const liveSockets = (db: Db, now: Date) =>
  db
    .selectFrom('live_socket as s')
    .innerJoin('live_process as p', 'p.id', 's.process_id')
    .where('p.seen_at', '>=', aliveSince(now))

/** With a visible page [API 13.2]. */
export async function visibleSessions(
  db: Db,
  sessions: readonly string[],
  now: Date,
): Promise<Set<string>> {
  if (sessions.length === 0) return new Set()
  const rows = await liveSockets(db, now)
    .select('s.session_id')
    .where('s.session_id', 'in', sessions)
    .where('s.visible', '=', true)
    .execute()
  return new Set(rows.map((row) => row.session_id))
}
