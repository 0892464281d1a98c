import { sql } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../db/open.ts'
import type { Row, Tx } from '../../db/tables.ts'
import { fact, rules } from '../../live/fact.ts'
import { visibleSessions } from '../../live/presence.ts'
import { preferencesOf } from '../notification/preferences.ts'
import { decide, type Decisions } from './decide.ts'

const PEOPLE_AT_ONCE = 100

export async function decideDue(database: Database, now: Date): Promise<number> {
  let made = 0
  for (;;) {
    const people = await database.db
      .selectFrom('push')
      .select('user_id')
      .distinct()
      .where('run_at', '<=', now)
      .limit(PEOPLE_AT_ONCE)
      .execute()
    for (const { user_id } of people) made += await database.tx((tx) => decideFor(tx, user_id, now))
    if (people.length < PEOPLE_AT_ONCE) return made
  }
}

async function decideFor(tx: Tx, user: string, now: Date) {
  await tx
    .insertInto('push_account')
    .values({ user_id: user })
    .onConflict((on) => on.doNothing())
    .execute()
  const account = await tx
    .selectFrom('push_account')
    .select('sent_at')
    .where('user_id', '=', user)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const pending = await pendingOf(tx, user, now)
  const decisions = decide(
    pending,
    await preferencesOf(tx, user),
    account.sent_at.map((at) => at.getTime()),
    now,
  )
  await write(tx, user, decisions, now)
  return deliver(tx, user, decisions, now)
}

type Waiting = Row<'push'> & { data: unknown; read: boolean }

async function pendingOf(tx: Tx, user: string, now: Date) {
  const { rows } = await sql<Waiting>`
    select p.*, e.data, e.read_at is not null or coalesce(c.read_until >= e.message_seq, false) as read
    from push p
    join event e on e.id = p.event_id
    left join participant c on c.user_id = p.user_id and c.conversation_id = e.conversation_id
    where p.user_id = ${user}
    order by e.seq`.execute(tx)
  return rows.flatMap((row) => {
    const { event } = v.parse(fact, row.data)
    const { group, push } = rules[event]
    if (group === null || push === null) return []
    const stale = now.getTime() - row.created_at.getTime() > push.ttl * 1000
    return [
      {
        eventId: row.event_id,
        group,
        events: row.events,
        runAt: row.run_at,
        quiet: row.quiet,
        stale,
        read: row.read,
      },
    ]
  })
}

async function write(tx: Tx, user: string, { wait, drop, send, sentAt }: Decisions, now: Date) {
  const gone = [...drop, ...send.map((one) => one.eventId)]
  if (gone.length > 0) await tx.deleteFrom('push').where('event_id', 'in', gone).execute()
  for (const { eventId, events, runAt, quiet } of wait)
    await tx
      .updateTable('push')
      .set({ events, run_at: runAt, quiet })
      .where('event_id', '=', eventId)
      .execute()
  // What is no longer in the log has no payload.
  await sql`delete from push where user_id = ${user} and run_at <= ${now}
    and not exists (select from event e where e.id = push.event_id)`.execute(tx)
  await sql`update push_account
    set sent_at = ${sentAt.map((at) => new Date(at).toISOString())}::timestamptz[]
    where user_id = ${user}`.execute(tx)
}

/** To all browsers without a visible page [API 13.2]. */
async function deliver(tx: Tx, user: string, { send, summary }: Decisions, now: Date) {
  const going = [
    ...send.map((one) => ({ ...one, summary: false })),
    ...(summary === null ? [] : [{ ...summary, summary: true }]),
  ]
  if (going.length === 0) return 0
  const browsers = await tx
    .selectFrom('push_subscription')
    .select(['id', 'session_id'])
    .where('user_id', '=', user)
    .execute()
  const visible = await visibleSessions(
    tx,
    browsers.map((one) => one.session_id),
    now,
  )
  const rows = browsers
    .filter((one) => !visible.has(one.session_id))
    .flatMap((one) =>
      going.map(({ eventId, events, summary: isSummary }) => ({
        event_id: eventId,
        subscription_id: one.id,
        user_id: user,
        events,
        summary: isSummary,
        run_at: now,
        locked_until: null,
        created_at: now,
      })),
    )
  if (rows.length > 0)
    await tx
      .insertInto('push_delivery')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute()
  return rows.length
}
