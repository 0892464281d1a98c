import { eventName, severity, notification, type Notification } from '#schema/wire/notification'
import { parsed } from '#schema/parsed'
import { isMembers, type Members, members, text } from '#schema/tolerant'
import * as v from 'valibot'
import type { Seen } from './seen.ts'

/**
 * Takes each event once [SYNC 7]; it counts as seen once `keep` has stored it. Resolves with the id
 * of a notification to show.
 */
export async function receive(
  frame: Members,
  now: number,
  seen: Seen,
  keep: (event: Notification, frame: Members) => Promise<string | null>,
): Promise<string | null> {
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

/** Fills in what simpler servers omit; null: no known event. */
function eventOf(frame: Members, now: number) {
  const name = frame['event']
  if (typeof name !== 'string') return null
  const textAt = (member: string) => text(frame[member])
  const message = frame['message']
  const conversation =
    textAt('conversation_id') ??
    text(members(message)['conversation']) ??
    idIn(frame['conversation'])
  const id = textAt('id')
  const meta = members(frame['meta'])
  const made = {
    id,
    event: name,
    event_id: textAt('event_id') ?? id ?? `${name}:${conversation ?? ''}:${idIn(message) ?? ''}`,
    ts: textAt('ts') ?? new Date(now).toISOString(),
    title: textAt('title') ?? '',
    message: isMembers(message)
      ? {
          seq: 0,
          ...message,
          content: text(message['content']) ?? '',
          conversation: conversation ?? '',
          id: idIn(message) ?? '',
        }
      : (text(message) ?? ''),
    conversation_id: conversation,
    listing_id: textAt('listing_id'),
    url: textAt('url'),
    from_user: isMembers(frame['from_user'])
      ? { avatar: null, id: '', username: '', ...frame['from_user'] }
      : null,
    severity: v.is(severity, frame['severity']) ? frame['severity'] : 'info',
    icon: textAt('icon'),
    image: textAt('image'),
    tag: textAt('tag') ?? `${name}:${id ?? ''}`,
    meta: { ...meta, count: typeof meta['count'] === 'number' ? meta['count'] : 1 },
    read: frame['read'] === true,
  }
  return parsed(notification, made)
}

function idIn(value: unknown) {
  return text(members(value)['id'])
}
