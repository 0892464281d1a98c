import type { Job } from '../../jobs/run.ts'
import type { Services } from '../../route/index.ts'
import { decideDue } from './decide.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Row } from '../../db/tables.ts'
import { onWake, wake } from '../../jobs/wake.ts'
import { rules } from '../../live/fact.ts'
import { eventColumns, loggedEventOf, type EventRow } from '../../live/log.ts'
import {
  eventPayload,
  packed,
  summaryPayload,
  SUMMARY_TRAVEL,
  topicOf,
  type Unread,
} from './payload.ts'
import { judgeSubscription } from './subscriptions.ts'
import type { PushOutcome } from '../../webpush/service.ts'

export const pushJob: Job<Services> = {
  name: 'push',
  everyMs: 10_000,
  run: deliverDue,
}

/** The same under the name of [API 16], for quiet hours [API 12.2]. */
export const quietSummaryJob: Job<Services> = { ...pushJob, name: 'quiet-summary', everyMs: 60_000 }

/** [A8] Of a process, and of one person, whose browsers may never respond. */
const AT_ONCE = 20
const PER_PERSON = 2
/** The fair order is computed over this many. */
const CANDIDATES = 1000
const ROUND_MS = 4000
const LOCK_MS = 60_000
/** [API 13.2]: before the second, third and fourth attempt. */
const WAITS_S = [10, 60, 600]
const FAILURES_MAX = 10

type Delivery = Row<'push_delivery'> &
  Pick<Row<'push_subscription'>, 'endpoint' | 'p256dh' | 'auth' | 'lang'>

/** Fair among users: an unresponsive browser occupies only a slot of its user. */
async function deliverDue(services: Services) {
  const { database, clock } = services
  const began = performance.now()
  const running = new Map<Promise<void>, string>()
  let woken = Promise.withResolvers<void>()
  const unwake = onWake('push', () => woken.resolve())
  let sent = 0
  let failure: unknown = null
  const start = (one: Delivery) => {
    const going: Promise<void> = attempt(services, one)
      .then(
        (isSent) => void (sent += isSent ? 1 : 0),
        (error: unknown) => void (failure ??= error),
      )
      .finally(() => running.delete(going))
    running.set(going, one.user_id)
  }
  try {
    for (let open = true; open; open = performance.now() - began < ROUND_MS) {
      await decideDue(database, clock())
      const users = [...running.values()]
      for (const one of await claim(database.db, clock(), AT_ONCE - running.size, users)) start(one)
      if (running.size === 0) break
      await Promise.race([
        ...running.keys(),
        woken.promise,
        pause(ROUND_MS, undefined, { ref: false }),
      ])
      woken = Promise.withResolvers()
    }
    await Promise.all(running.keys())
  } finally {
    unwake()
  }
  if (failure !== null) throw failure
  // Deliveries that came at the end of the round, or found no free slot.
  if (performance.now() - began >= ROUND_MS) wake('push')
  return sent
}

/** Every user's first before anybody's second. Deletes rows whose subscription is gone. */
async function claim(db: Db, now: Date, places: number, holders: readonly string[]) {
  if (places <= 0) return []
  const held = Map.groupBy(holders, (user) => user)
  const full = [...held].filter(([, some]) => some.length >= PER_PERSON).map(([user]) => user)
  await sql`delete from push_delivery d where d.run_at <= ${now}
    and not exists (select from push_subscription s where s.id = d.subscription_id)`.execute(db)
  const { rows } = await sql<Delivery>`
    update push_delivery d set locked_until = ${new Date(now.getTime() + LOCK_MS)}, attempts = d.attempts + 1
    from push_subscription s
    where s.id = d.subscription_id and (d.event_id, d.subscription_id) in (
      select p.event_id, p.subscription_id from push_delivery p join (
        select event_id, subscription_id, row_number() over (partition by user_id order by run_at)
          + coalesce(held.places, 0) as turn
        from (
          select event_id, subscription_id, user_id, run_at from push_delivery
          where run_at <= ${now} and (locked_until is null or locked_until < ${now}) and user_id <> all(${full}::text[])
          order by run_at limit ${CANDIDATES}) as due
        left join unnest(${[...held.keys()]}::text[],
          ${[...held.values()].map((one) => one.length)}::integer[]) as held(holder, places)
          on held.holder = due.user_id
      ) as turns on turns.event_id = p.event_id and turns.subscription_id = p.subscription_id
      where turns.turn <= ${PER_PERSON} order by turns.turn, p.run_at limit ${places} for update of p skip locked)
    returning d.*, s.endpoint, s.p256dh, s.auth, s.lang`.execute(db)
  return rows
}

async function attempt(services: Services, delivery: Delivery) {
  const { database, clock, push } = services
  const made = await renderPush(database.db, delivery)
  const expires = delivery.created_at.getTime() + (made?.options.ttl ?? 0) * 1000
  if (made === null || clock().getTime() > expires) {
    await forget(database.db, delivery)
    return false
  }
  const outcome = await push.send(delivery, made.payload, made.options)
  await settle(services, delivery, outcome, expires)
  return outcome.kind === 'sent'
}

async function renderPush(db: Db, delivery: Delivery) {
  const { rows } = await sql<EventRow & Unread>`
    select ${eventColumns}, coalesce(c.unread, 0) as messages,
      (select count(*)::int from event n where n.user_id = e.user_id
        and n.notification_id is not null and n.read_at is null) as notifications
    from event e
    left join app_user a on a.id = e.actor_id
    left join participant c on c.user_id = e.user_id and c.conversation_id = e.conversation_id
    where e.id = ${delivery.event_id}`.execute(db)
  const row = rows[0]
  if (row === undefined) return null
  const logged = loggedEventOf(row)
  const { lang, events } = delivery
  const way = delivery.summary ? SUMMARY_TRAVEL : rules[logged.fact.event].push
  if (way === null) return null
  const payload = (delivery.summary ? summaryPayload : eventPayload)(logged, lang, events, row)
  return { payload: packed(payload), options: { ...way, topic: topicOf(payload.tag) } }
}

/** [API 13.2] */
async function settle(
  { clock, database: { db }, log }: Services,
  delivery: Delivery,
  outcome: PushOutcome,
  expires: number,
) {
  const now = clock()
  if (outcome.kind === 'gone' || outcome.kind === 'sent') {
    await judgeSubscription(db, delivery.subscription_id, outcome.kind, now)
    await forget(db, delivery)
    return
  }
  const wait = WAITS_S[delivery.attempts - 1]
  const again =
    outcome.kind === 'later' && wait !== undefined
      ? now.getTime() + (outcome.afterS ?? wait) * 1000
      : Infinity
  if (again <= expires) {
    const { event_id, subscription_id } = delivery
    const run_at = new Date(again)
    await db
      .updateTable('push_delivery')
      .set({ run_at, locked_until: null })
      .where((is) => is.and({ event_id, subscription_id }))
      .execute()
    // The other deliveries to this browser would fail the same way.
    await db
      .updateTable('push_delivery')
      .set({ run_at })
      .where('subscription_id', '=', subscription_id)
      .where('run_at', '<', run_at)
      .where('locked_until', 'is', null)
      .execute()
    return
  }
  const status = outcome.kind === 'refused' ? outcome.status : null
  log.warn({ status, subscription: delivery.subscription_id }, 'push dropped')
  await forget(db, delivery)
  await fail(db, delivery.subscription_id)
}

async function fail(db: Db, subscription: string) {
  const row = await db
    .updateTable('push_subscription')
    .set((is) => ({ failures: is('failures', '+', 1) }))
    .where('id', '=', subscription)
    .returning('failures')
    .executeTakeFirst()
  if (row !== undefined && row.failures >= FAILURES_MAX)
    await db.deleteFrom('push_subscription').where('id', '=', subscription).execute()
}

const forget = (db: Db, { event_id, subscription_id }: Delivery) =>
  db
    .deleteFrom('push_delivery')
    .where((is) => is.and({ event_id, subscription_id }))
    .execute()
