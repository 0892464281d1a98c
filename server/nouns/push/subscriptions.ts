import type { Db, Row, Tx } from '../../db/tables.ts'
import { created, type Caller } from '../../route/index.ts'
import { newId } from '../../ids.ts'
import type { PushOutcome } from '../../webpush/service.ts'

const PER_PERSON = 20

export type Subscription = Row<'push_subscription'>

/** A known endpoint moves to this user and session [API 13.1]. Keeps the 20 last used. */
export async function keepSubscription(
  tx: Tx,
  me: Caller,
  {
    endpoint,
    ...offer
  }: Pick<Subscription, 'endpoint' | 'p256dh' | 'auth' | 'user_agent' | 'lang'>,
  now: Date,
) {
  const fresh = {
    ...offer,
    user_id: me.id,
    session_id: me.sessionId,
    used_at: now,
    failures: 0,
  }
  const known = await tx
    .updateTable('push_subscription')
    .set(fresh)
    .where('endpoint', '=', endpoint)
    .returningAll()
    .executeTakeFirst()
  if (known !== undefined) return created(shownOf(known), false)
  const row = await tx
    .insertInto('push_subscription')
    .values({ ...fresh, id: newId(now.getTime()), endpoint, created_at: now })
    .onConflict((on) => on.column('endpoint').doUpdateSet(fresh))
    .returningAll()
    .executeTakeFirstOrThrow()
  const lastUsed = tx
    .selectFrom('push_subscription')
    .select('id')
    .where('user_id', '=', me.id)
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PER_PERSON)
  await tx
    .deleteFrom('push_subscription')
    .where('user_id', '=', me.id)
    .where('id', 'not in', lastUsed)
    .execute()
  return created(shownOf(row), true)
}

const shownOf = ({ id, endpoint, lang, created_at }: Subscription) => ({
  id,
  endpoint,
  lang,
  created_at: created_at.toISOString(),
})

export async function dropSubscription(tx: Tx, user: string, endpoint: string) {
  await tx
    .deleteFrom('push_subscription')
    .where('user_id', '=', user)
    .where('endpoint', '=', endpoint)
    .execute()
}

/** [API 13.2] */
export async function judgeSubscription(db: Db, id: string, kind: PushOutcome['kind'], now: Date) {
  if (kind === 'gone') await db.deleteFrom('push_subscription').where('id', '=', id).execute()
  if (kind === 'sent')
    await db
      .updateTable('push_subscription')
      .set({ failures: 0, used_at: now })
      .where('id', '=', id)
      .execute()
}

export function subscriptionsOf(db: Db, user: string, endpoint: string | null) {
  const all = db.selectFrom('push_subscription').selectAll().where('user_id', '=', user)
  return (endpoint === null ? all : all.where('endpoint', '=', endpoint)).execute()
}
