import type { NotificationDocument } from '#schema/disk/documents'
import { notification, severity } from '#schema/wire/notification'
import * as v from 'valibot'
import {
  amount,
  EPOCH,
  fill,
  flag,
  idOf,
  members,
  moment,
  msOf,
  parsed,
  text,
} from '../tolerant.ts'

const { message: content } = notification.entries

/** null: not a notification. An unknown event is stored and shown by its texts. */
export function readNotification(body: unknown): NotificationDocument | null {
  const object = members(body)
  const id = idOf(object['id']) ?? text(object['event_id'])
  const event = text(object['event']) ?? text(object['type'])
  if (id === null || event === null) return null
  const message = v.is(content, object['message']) ? object['message'] : text(object['message'])
  const meta = members(object['meta'])
  const whole = parsed(
    notification,
    fill(notification.entries, body, {
      event,
      event_id: text(object['event_id']) ?? id,
      ts: moment(object['ts'] ?? object['created_at']) ?? EPOCH,
      message: message ?? '',
      severity: v.is(severity, object['severity']) ? object['severity'] : 'info',
      tag: text(object['tag']) ?? `${event}:${id}`,
      meta: { ...meta, count: amount(meta['count']) ?? 1 },
      read: flag(object['read'] ?? object['is_read']) ?? false,
    }),
  )
  return whole && { ...whole, id, newest: -msOf(whole.ts) }
}
