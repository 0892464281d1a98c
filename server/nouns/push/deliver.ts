import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import { eventColumns, toldOf, type EventRow } from '../../live/log.ts'
import type { Told } from '../../live/render.ts'
import type { Services } from '../../services.ts'
import { eventPayload, packed, summaryPayload, SUMMARY_TRAVEL, topicOf, travel, type Unread } from './payload.ts'
import type { PushOptions, PushOutcome, Target } from './service.ts'

const AT_ONCE = 20
/** Longer than the slowest answer of a push service. */
const LOCK_MS = 60_000
/** API.md 13.2: waits before the second, third and fourth try. */
const WAITS_S = [10, 60, 600]
const FAILURES_MAX = 10

interface Delivery extends Target {
  event_id: string
  subscription_id: string
  user_id: string
  lang: 'fr' | 'en'
  events: number
  summary: boolean
  attempts: number
  created_at: Date
}

/** Hands over what is due, twenty at a time; answers how many were taken. */
export async function deliverDue(services: Services): Promise<number> {
  let sent = 0
  for (;;) {
    const claimed = await claim(services.database.db, services.clock())
    sent += (await Promise.all(claimed.map((one) => attempt(services, one)))).filter(Boolean).length
    if (claimed.length < AT_ONCE) return sent
  }
}

/** Rows whose browser or event is gone fall out here. */
async function claim(db: Db, now: Date): Promise<Delivery[]> {
  await sql`delete from push_delivery d where d.run_at <= ${now} and not exists (select from push_subscription s where s.id = d.subscription_id)`.execute(db)
  const { rows } = await sql<Delivery>`
    update push_delivery d set locked_until = ${new Date(now.getTime() + LOCK_MS)}, attempts = d.attempts + 1
    from push_subscription s
    where s.id = d.subscription_id and (d.event_id, d.subscription_id) in (
      select event_id, subscription_id from push_delivery
      where run_at <= ${now} and (locked_until is null or locked_until < ${now}) order by run_at limit ${AT_ONCE} for update skip locked)
    returning d.event_id, d.subscription_id, d.user_id, d.events, d.summary, d.attempts, d.created_at, s.endpoint, s.p256dh, s.auth, s.lang`.execute(db)
  return rows
}

async function attempt(services: Services, delivery: Delivery): Promise<boolean> {
  const { database, clock, push } = services
  const made = await letterOf(database.db, delivery)
  const expires = delivery.created_at.getTime() + (made?.options.ttl ?? 0) * 1000
  if (made === null || clock().getTime() > expires) {
    await forget(database.db, delivery)
    return false
  }
  const outcome = await push.send(delivery, made.payload, made.options)
  await settle(services, delivery, outcome, expires)
  return outcome.kind === 'sent'
}

async function letterOf(db: Db, delivery: Delivery): Promise<{ payload: string; options: PushOptions } | null> {
  const { rows } = await sql<EventRow & Unread>`
    select ${eventColumns}, coalesce(c.unread, 0) as messages,
      (select count(*)::int from event n where n.user_id = e.user_id and n.notification_id is not null and n.read_at is null) as notifications
    from event e
    left join app_user a on a.id = e.actor_id
    left join participant c on c.user_id = e.user_id and c.conversation_id = e.conversation_id
    where e.id = ${delivery.event_id}`.execute(db)
  const row = rows[0]
  if (row === undefined) return null
  const told = toldOf(row)
  return delivery.summary ? summaryLetter(told, delivery, row) : eventLetter(told, delivery, row)
}

function summaryLetter(told: Told, { lang, events }: Delivery, unread: Unread): { payload: string; options: PushOptions } {
  const payload = summaryPayload(told, lang, events, unread)
  return { payload: packed(payload), options: { ...SUMMARY_TRAVEL, topic: topicOf(payload.tag) } }
}

function eventLetter(told: Told, { lang, events }: Delivery, unread: Unread): { payload: string; options: PushOptions } | null {
  const way = travel(told.fact.event)
  if (way === null) return null
  const payload = eventPayload(told, lang, events, unread)
  return { payload: packed(payload), options: { ...way, topic: topicOf(payload.tag) } }
}

/** API.md 13.2: delivered, tried again later, dropped; a browser that is gone or fails ten times in a row is forgotten. */
async function settle({ clock, database: { db }, log }: Services, delivery: Delivery, outcome: PushOutcome, expires: number): Promise<void> {
  const now = clock()
  if (outcome.kind === 'gone') {
    await db.deleteFrom('push_subscription').where('id', '=', delivery.subscription_id).execute()
    return forget(db, delivery)
  }
  if (outcome.kind === 'sent') {
    await db.updateTable('push_subscription').set({ failures: 0, used_at: now }).where('id', '=', delivery.subscription_id).execute()
    return forget(db, delivery)
  }
  const wait = outcome.kind === 'later' ? WAITS_S[delivery.attempts - 1] : undefined
  const again = wait === undefined || outcome.kind !== 'later' ? null : now.getTime() + (outcome.afterS ?? wait) * 1000
  if (again !== null && again <= expires) {
    const { event_id, subscription_id } = delivery
    await db.updateTable('push_delivery').set({ run_at: new Date(again), locked_until: null }).where('event_id', '=', event_id).where('subscription_id', '=', subscription_id).execute()
    return undefined
  }
  log.warn({ status: outcome.kind === 'refused' ? outcome.status : null, subscription: delivery.subscription_id }, 'push dropped')
  await forget(db, delivery)
  await fail(db, delivery.subscription_id)
}

async function fail(db: Db, subscription: string): Promise<void> {
  const row = await db
    .updateTable('push_subscription')
    .set((is) => ({ failures: is('failures', '+', 1) }))
    .where('id', '=', subscription)
    .returning('failures')
    .executeTakeFirst()
  if (row !== undefined && row.failures >= FAILURES_MAX) await db.deleteFrom('push_subscription').where('id', '=', subscription).execute()
}

async function forget(db: Db, { event_id, subscription_id }: Delivery): Promise<void> {
  await db.deleteFrom('push_delivery').where('event_id', '=', event_id).where('subscription_id', '=', subscription_id).execute()
}
