import type { NotificationDocument } from '#schema/disk/documents'
import { notification, severity } from '#schema/wire/notification'
import * as v from 'valibot'
import { amount, EPOCH, flag, idOf, members, moment, msOf, text } from '../tolerant.ts'

/** Parses a notification; null: not one. An unknown event is stored and shown by its texts. */
export function readNotification(body: unknown): NotificationDocument | null {
  const object = members(body)
  const id = idOf(object['id']) ?? text(object['event_id'])
  const event = text(object['event']) ?? text(object['type'])
  if (id === null || event === null) return null
  const from = members(object['from_user'])
  const meta = members(object['meta'])
  const whole = v.safeParse(notification, {
    id: idOf(object['id']),
    event,
    event_id: text(object['event_id']) ?? id,
    ts: moment(object['ts'] ?? object['created_at']) ?? EPOCH,
    title: text(object['title']) ?? '',
    message:
      typeof object['message'] === 'object' && object['message'] !== null
        ? object['message']
        : (text(object['message']) ?? ''),
    conversation_id: idOf(object['conversation_id']),
    listing_id: idOf(object['listing_id']),
    url: text(object['url']),
    from_user:
      idOf(from['id']) === null
        ? null
        : {
            id: idOf(from['id']),
            username: text(from['username']) ?? '',
            avatar: text(from['avatar']),
          },
    severity: v.is(severity, object['severity']) ? object['severity'] : 'info',
    icon: text(object['icon']),
    image: text(object['image']),
    tag: text(object['tag']) ?? `${event}:${id}`,
    meta: { ...meta, count: amount(meta['count']) ?? 1 },
    read: flag(object['read'] ?? object['is_read']) ?? false,
  })
  return whole.success ? { ...whole.output, id, newest: -msOf(whole.output.ts) } : null
}
