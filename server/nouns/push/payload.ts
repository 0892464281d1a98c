import { hash } from 'node:crypto'
import { pick } from '#schema/pick'
import type { Notification } from '#schema/wire/notification'
import type { PushPayload } from '#schema/wire/push'
import type { Language } from '#schema/wire/shapes'
import { cut, render, type LoggedEvent } from '../../live/render.ts'
import { filled } from '../../route/index.ts'
import texts from './texts.json' with { type: 'json' }

/** Bytes before encryption [API 13.3]. */
const PAYLOAD_MAX = 3072
const BODY_MAX = 1000

export const SUMMARY_TRAVEL = { ttl: 86_400, urgency: 'low' } as const
export const TEST_TRAVEL = { ttl: 60, urgency: 'high', topic: null } as const

/** [API 13.2]: unreadable for the push service. */
export const topicOf = (tag: string) => hash('sha256', tag, 'base64url').slice(0, 32)

export interface Unread {
  readonly messages: number
  readonly notifications: number
}

/** `events` above 1: it represents that many deferred ones [D114]. */
export function eventPayload(
  logged: LoggedEvent,
  language: Language,
  events: number,
  unread: Unread,
): PushPayload {
  const rendered = render(logged, language)
  const isMessage = logged.fact.event === 'message.created'
  return {
    v: 1,
    ...pick(rendered, ['id', 'event', 'event_id', 'ts', 'tag', 'icon', 'severity']),
    ...pick(rendered, ['conversation_id', 'listing_id']),
    title: isMessage ? (logged.actor?.username ?? '') : rendered.title,
    body: cut(
      logged.fact.event === 'message.created'
        ? logged.fact.message.content
        : textOf(rendered.message),
      BODY_MAX,
    ),
    url: rendered.url ?? '/notifications',
    // A photo per message would cost more data than the message.
    image: isMessage ? null : previewOf(rendered.image),
    badge_count: unread.notifications,
    meta: {
      ...rendered.meta,
      count: events > 1 ? events : isMessage ? Math.max(1, unread.messages) : 1,
    },
  }
}

export function summaryPayload(
  newest: LoggedEvent,
  language: Language,
  events: number,
  unread: Pick<Unread, 'notifications'>,
): PushPayload {
  return {
    ...plain(`${newest.eventId}-summary`, newest.ts),
    title: texts['summary.title'][language],
    body: filled(texts[events === 1 ? 'summary.one' : 'summary.many'][language], { events }),
    tag: 'quiet-summary',
    url: '/notifications',
    badge_count: unread.notifications,
    meta: { count: events },
  }
}

/** [API 13.4]. */
export function testPayload(id: string, language: Language, now: Date): PushPayload {
  return {
    ...plain(id, now.toISOString()),
    title: texts['test.title'][language],
    body: texts['test.body'][language],
    tag: 'push-test',
    url: '/settings',
    meta: { count: 1 },
  }
}

function plain(event_id: string, ts: string) {
  return {
    v: 1,
    id: null,
    event: null,
    event_id,
    ts,
    icon: null,
    image: null,
    severity: 'info',
    conversation_id: null,
    listing_id: null,
  } as const
}

export function packed(payload: PushPayload) {
  const size = (one: PushPayload) => Buffer.byteLength(JSON.stringify(one))
  let fitting = payload
  for (
    let letters = Array.from(payload.body).length;
    size(fitting) > PAYLOAD_MAX && letters > 1;
    letters = Math.floor(letters * 0.8)
  )
    fitting = { ...payload, body: cut(payload.body, letters) }
  if (size(fitting) > PAYLOAD_MAX) fitting = { ...fitting, image: null }
  return JSON.stringify(fitting)
}

const textOf = (message: Notification['message']) =>
  typeof message === 'string' ? message : message.content

/** A format that every system displays [API 6.3]. */
const previewOf = (image: string | null) =>
  image?.replace(/^(\/media\/images\/[^/]+)\/.*$/, '$1/640.jpg') ?? null
