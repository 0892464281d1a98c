import * as v from 'valibot'
import { call } from './call.ts'
import { count, id, language, moment, nullableText, nullishText } from './shapes.ts'
import { severity } from './notification.ts'

/** [API 13.1]: "" when no key could be created [S4.07]. */
export const readPushConfig = call('push.config', 'GET', 'push-config/', {
  access: 'open',
  cache: 'static',
  answer: v.object({ vapid_public_key: v.string() }),
})

/** [API 13.1]: 200 for a known endpoint; the browser's own `keys` is accepted too. */
export const subscribePush = call('push.subscribe', 'POST', 'push-subscriptions/', {
  body: v.object({
    endpoint: v.string(),
    p256dh: nullishText,
    auth: nullishText,
    keys: v.optional(v.object({ p256dh: nullishText, auth: nullishText })),
    user_agent: nullishText,
    lang: nullishText,
  }),
  answer: v.object({ id, endpoint: v.string(), lang: language, created_at: moment }),
  status: 201,
})

/** [API 13.1] */
export const unsubscribePush = call('push.unsubscribe', 'DELETE', 'push-subscriptions/', {
  query: v.object({ endpoint: v.optional(v.string()) }),
  body: v.object({ endpoint: v.optional(v.string()) }),
})

/** [API 13.4]: to all of the caller's devices, or to one. */
export const testPush = call('push.test', 'POST', 'push-test/', {
  body: v.object({ endpoint: nullishText }),
  keyed: false,
  answer: v.object({
    status: v.literal('sent'),
    sent: count,
    failed: count,
    removed: count,
    detail: v.string(),
  }),
})

/** [API 13.3]; at most 3,072 bytes. */
export const pushPayload = v.object({
  v: v.literal(1),
  id: nullableText,
  event: nullableText,
  event_id: v.string(),
  ts: moment,
  title: v.string(),
  body: v.string(),
  tag: v.string(),
  url: v.string(),
  icon: nullableText,
  image: nullableText,
  severity,
  conversation_id: nullableText,
  listing_id: nullableText,
  badge_count: v.optional(count),
  meta: v.looseObject({ count: v.number() }),
})
export type PushPayload = v.InferOutput<typeof pushPayload>
