import { sql } from 'kysely'
import * as v from 'valibot'
import type { Database } from '../../db/open.ts'
import type { Tx } from '../../db/tables.ts'
import { fact, rules, type Group } from '../../live/fact.ts'
import { visibleSessions } from '../../live/presence.ts'
import { preferencesOf, isQuiet, quietEnds } from '../notification/preferences.ts'
import type { Preferences } from '#schema/wire/notification'

const PEOPLE_AT_ONCE = 100

export async function decideDue(database: Database, now: Date) {
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
  // The update of a known row locks it.
  const account = await tx
    .insertInto('push_account')
    .values({ user_id: user })
    .onConflict((on) => on.column('user_id').doUpdateSet({ user_id: user }))
    .returning('sent_at')
    .executeTakeFirstOrThrow()
  const pending = await pendingOf(tx, user, now)
  const sentAt = account.sent_at.map((at) => at.getTime())
  const decisions = decide(pending, await preferencesOf(tx, user), sentAt, now)
  await write(tx, user, decisions, now)
  return deliver(tx, user, decisions, now)
}

type Waiting = Omit<Pending, 'group' | 'stale'> & { createdAt: Date; data: unknown }

async function pendingOf(tx: Tx, user: string, now: Date) {
  const { rows } = await sql<Waiting>`
    select p.event_id as "eventId", p.events, p.run_at as "runAt", p.quiet,
      p.created_at as "createdAt", e.data,
      e.read_at is not null or coalesce(c.read_until >= e.message_seq, false) as read
    from push p
    join event e on e.id = p.event_id
    left join participant c on c.user_id = p.user_id and c.conversation_id = e.conversation_id
    where p.user_id = ${user}
    order by e.seq`.execute(tx)
  return rows.flatMap(({ createdAt, data, ...waiting }) => {
    const { event } = v.parse(fact, data)
    const { group, push } = rules[event]
    if (group === null || push === null) return []
    const stale = now.getTime() - createdAt.getTime() > push.ttl * 1000
    return [{ ...waiting, group, stale }]
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
  const sessions = browsers.map((one) => one.session_id)
  const visible = await visibleSessions(tx, sessions, now)
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

export type Pending = Readonly<{
  eventId: string
  group: Group
  events: number
  runAt: Date
  quiet: boolean
  stale: boolean
  read: boolean
}>

/** `events`: how many it stands for. */
type Counted = Pick<Pending, 'eventId' | 'events'>

type Decisions = Readonly<{
  send: readonly Counted[]
  summary: Counted | null
  wait: readonly (Counted & Pick<Pending, 'runAt' | 'quiet'>)[]
  drop: readonly string[]
  sentAt: readonly number[]
}>

const WINDOW_MS = 10 * 60_000
const WINDOW_PUSHES = 10

/** One person's, in the order of their events [API 12.2, API 13.2]. */
export function decide(
  pending: readonly Pending[],
  preferences: Preferences,
  sentBefore: readonly number[],
  now: Date,
): Decisions {
  const at = now.getTime()
  const sentAt = sentBefore.filter((time) => time > at - WINDOW_MS && time <= at)
  const dropped = pending.filter((one) => one.stale || one.read || !preferences[one.group].push)
  const alive = pending.filter((one) => !dropped.includes(one))
  if (isQuiet(preferences.quiet_hours, now)) {
    const later = { quiet: true, runAt: quietEnds(preferences.quiet_hours, now) }
    const wait = alive.map((one) => ({ ...one, ...later }))
    return { send: [], summary: null, wait, drop: ids(dropped), sentAt }
  }
  const [kept, fresh] = [alive.filter((one) => one.quiet), alive.filter((one) => !one.quiet)]
  const summary = oneFor(kept)
  if (summary !== null) sentAt.push(at)
  const throttled = throttle(fresh, sentAt, at)
  return { ...throttled, summary, drop: [...ids(dropped), ...ids(kept), ...throttled.drop], sentAt }
}

/** Above ten in ten minutes, one represents all later ones [D114]. */
function throttle(
  fresh: readonly Pending[],
  sentAt: number[],
  at: number,
): Omit<Decisions, 'summary' | 'sentAt'> {
  const send: Counted[] = []
  let held = fresh.filter((one) => one.runAt.getTime() > at)
  for (const one of fresh.filter((candidate) => !held.includes(candidate))) {
    if (held.length > 0 || sentAt.length >= WINDOW_PUSHES) held = [...held, one]
    else {
      send.push(one)
      sentAt.push(at)
    }
  }
  const newest = oneFor(held)
  if (newest === null) return { send, wait: [], drop: ids(fresh) }
  const until =
    held.find((one) => one.runAt.getTime() > at)?.runAt ??
    new Date((sentAt.at(-1) ?? at) + WINDOW_MS)
  return {
    send,
    wait: [{ ...newest, runAt: until, quiet: false }],
    drop: ids(fresh).filter((id) => id !== newest.eventId),
  }
}

function oneFor(pending: readonly Pending[]) {
  const newest = pending.at(-1)
  return newest === undefined
    ? null
    : { eventId: newest.eventId, events: pending.reduce((sum, one) => sum + one.events, 0) }
}

const ids = (pending: readonly Pending[]) => pending.map((one) => one.eventId)
