import { ECDH } from 'node:crypto'
import * as wire from '#schema/wire/push'
import {
  preparedRoute,
  readRoute,
  refuse,
  refuseField,
  writeRoute,
  type LimitRow,
  type Route,
  type Services,
} from '../../route/index.ts'
import { newId } from '../../ids.ts'
import { endpointUrl, leadsOutside } from '../../webpush/guard.ts'
import { packed, testPayload, TEST_TRAVEL } from './payload.ts'
import type { PushOutcome } from '../../webpush/service.ts'
import {
  dropSubscription,
  judgeSubscription,
  keepSubscription,
  subscriptionsOf,
  type Subscription,
} from './subscriptions.ts'

const TESTS: LimitRow = { name: 'push-test', user: [{ count: 5, seconds: 600 }] }
const KEY_BYTES = 65
const AUTH_BYTES = 16
const USER_AGENT_MAX = 300

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
    ({ me, now }, tx, offer) => keepSubscription(tx, me, offer, now),
  ),

  writeRoute(wire.unsubscribePush, async ({ body, me, query }, tx) => {
    const endpoint = body.endpoint ?? query.endpoint
    if (endpoint === undefined) throw refuseField('endpoint', 'required')
    await dropSubscription(tx, me.id, endpoint)
  }),

  preparedRoute(
    wire.testPush,
    async ({ body, me, now, services }) => {
      if (services.push.publicKey === '') throw refuse('push_not_configured')
      const browsers = await subscriptionsOf(services.database.db, me.id, body.endpoint ?? null)
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
    { limit: TESTS },
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
