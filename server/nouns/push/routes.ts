import { ECDH } from 'node:crypto'
import * as wire from '#schema/wire/push'
import {
  created,
  preparedRoute,
  readRoute,
  refuse,
  refuseField,
  writeRoute,
  type Route,
  type Services,
} from '../../route/index.ts'
import { isInserted } from '../../db/sql.ts'
import { newId } from '../../ids.ts'
import { endpointUrl, leadsOutside } from '../../webpush/guard.ts'
import { packed, testPayload, TEST_TRAVEL } from './payload.ts'
import type { PushOutcome } from '../../webpush/service.ts'
import { dropSubscription, judgeSubscription, type Subscription } from './subscriptions.ts'

const KEY_BYTES = 65
const AUTH_BYTES = 16
const USER_AGENT_MAX = 300
const PER_PERSON = 20

export const pushRoutes: readonly Route[] = [
  readRoute(wire.readPushConfig, async ({ services }) => ({
    vapid_public_key: services.push.publicKey,
  })),

  preparedRoute(
    wire.subscribePush,
    async ({ body, services, userAgent }) => {
      const p256dh = pointKey(body.p256dh ?? body.keys?.p256dh)
      const auth = key('auth', body.auth ?? body.keys?.auth, AUTH_BYTES)
      const insecure = services.config.pushAllowInsecure
      const url = endpointUrl(body.endpoint, insecure)
      if (url === null || !(await leadsOutside(url, insecure)))
        throw refuseField('endpoint', 'endpoint_invalid')
      return {
        endpoint: body.endpoint,
        p256dh,
        auth,
        lang: body.lang === 'en' ? ('en' as const) : ('fr' as const),
        user_agent: (body.user_agent ?? userAgent).slice(0, USER_AGENT_MAX),
      }
    },
    /** A known endpoint moves to this user and session [API 13.1]. Keeps the 20 last used. */
    async ({ me, now }, tx, { endpoint, ...offer }) => {
      const fresh = {
        ...offer,
        user_id: me.id,
        session_id: me.sessionId,
        used_at: now,
        failures: 0,
      }
      const { is_new: isNew, ...row } = await tx
        .insertInto('push_subscription')
        .values({ ...fresh, id: newId(now.getTime()), endpoint, created_at: now })
        .onConflict((on) => on.column('endpoint').doUpdateSet(fresh))
        .returningAll()
        .returning(isInserted)
        .executeTakeFirstOrThrow()
      if (!isNew) return created(shownOf(row), false)
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
    },
  ),

  writeRoute(wire.unsubscribePush, async ({ body, me, query }, tx) => {
    const endpoint = body.endpoint ?? query.endpoint
    if (endpoint === undefined) throw refuseField('endpoint', 'required')
    await dropSubscription(tx, me.id, endpoint)
  }),

  preparedRoute(
    wire.testPush,
    async ({ body, db, me, now, services }) => {
      if (services.push.publicKey === '') throw refuse('push_not_configured')
      const all = db.selectFrom('push_subscription').selectAll().where('user_id', '=', me.id)
      const { endpoint = null } = body
      const some = endpoint === null ? all : all.where('endpoint', '=', endpoint)
      const browsers = await some.execute()
      const outcomes = await Promise.all(browsers.map((browser) => tryOut(services, browser, now)))
      const count = (...kinds: PushOutcome['kind'][]) =>
        outcomes.filter(({ kind }) => kinds.includes(kind)).length
      return { sent: count('sent'), failed: count('later', 'refused'), removed: count('gone') }
    },
    async ({ language }, _, { sent, failed, removed }) => {
      if (sent + failed + removed === 0) throw refuse('no_subscription')
      if (sent === 0 && failed > 0) throw refuse('push_service_error')
      if (sent === 0) throw refuse('subscription_gone', { removed })
      const detail = language === 'en' ? 'Notification sent.' : 'Notification envoyée.'
      return { status: 'sent' as const, sent, failed, removed, detail }
    },
    { limit: { name: 'push-test', user: [{ count: 5, seconds: 600 }] } },
  ),
]

/** A P-256 point; encryption fails for anything else (RFC 8291). */
function pointKey(text: string | null | undefined) {
  const point = key('p256dh', text, KEY_BYTES)
  try {
    ECDH.convertKey(point, 'prime256v1', 'base64url', 'base64url', 'uncompressed')
    return point
  } catch {
    throw refuseField('p256dh', 'key_invalid')
  }
}

/** Returns base64url without padding. */
function key(field: 'p256dh' | 'auth', text: string | null | undefined, bytes: number) {
  if (text === null || text === undefined) throw refuseField(field, 'required')
  const decoded = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)
    ? Buffer.from(text, 'base64')
    : Buffer.alloc(0)
  if (decoded.byteLength !== bytes) throw refuseField(field, 'key_invalid')
  return decoded.toString('base64url')
}

async function tryOut({ database: { db }, push }: Services, browser: Subscription, now: Date) {
  const payload = packed(testPayload(newId(now.getTime()), browser.lang, now))
  const outcome = await push.send(browser, payload, TEST_TRAVEL)
  await judgeSubscription(db, browser.id, outcome.kind, now)
  return outcome
}

const shownOf = ({ id, endpoint, lang, created_at }: Subscription) => ({
  id,
  endpoint,
  lang,
  created_at: created_at.toISOString(),
})
