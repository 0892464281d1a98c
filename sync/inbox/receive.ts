import { eventName, severity, notification, type Notification } from '#schema/wire/notification'
import { parsed } from '#schema/parsed'
import { fill, isMembers, type Members, members, text } from '#schema/tolerant'
import * as v from 'valibot'
import type { Seen } from './seen.ts'

/** Each event once [SYNC 7]: it is seen when `keep` has stored it. */
export async function receive(
  frame: Members,
  now: number,
  seen: Seen,
  keep: (event: Notification, frame: Members) => Promise<string | null>,
) {
  const whole = unwrapped(frame)
  const event = eventOf(whole, now)
  if (!event || (await seen.has(event.event_id))) return null
  const notified = await keep(event, whole)
  await seen.add(event.event_id)
  return notified
}

/** [API 19]: in `data` or `payload`, or with its name in `type`. */
function unwrapped(frame: Members) {
  const body = { ...frame, ...members(frame['data'] ?? frame['payload']) }
  return v.is(eventName, body['type']) ? { ...body, event: body['type'] } : body
}

/** With what simpler servers omit [API 19]; null: no known event. */
function eventOf(frame: Members, now: number) {
  const { event, message, meta } = frame
  if (typeof event !== 'string') return null
  const textAt = (member: string) => text(frame[member])
  const { id: messageId, conversation: messageConversation, content } = members(message)
  const conversation_id =
    textAt('conversation_id') ??
    text(messageConversation) ??
    text(members(frame['conversation'])['id'])
  const conversation = conversation_id ?? ''
  const id = textAt('id')
  const { count } = members(meta)
  return parsed(
    notification,
    fill(notification.entries, frame, {
      id,
      event_id: textAt('event_id') ?? id ?? `${event}:${conversation}:${text(messageId) ?? ''}`,
      ts: textAt('ts') ?? new Date(now).toISOString(),
      message: isMembers(message)
        ? {
            seq: 0,
            ...message,
            content: text(content) ?? '',
            conversation,
            id: text(messageId) ?? '',
          }
        : (text(message) ?? ''),
      conversation_id,
      severity: parsed(severity, frame['severity']) ?? 'info',
      tag: textAt('tag') ?? `${event}:${id ?? ''}`,
      meta: { ...members(meta), count: typeof count === 'number' ? count : 1 },
      read: frame['read'] === true,
    }),
  )
}
