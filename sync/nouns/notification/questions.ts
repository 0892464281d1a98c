import { map } from 'rxjs'
import { MESSAGE_MERGE_MS, NOTIFICATIONS_STORED, PAGE_SIZE_MAX, SAME_TAG_MS } from '#schema/limits'
import { listNotifications, notification, severity } from '#schema/wire/notification'
import type { EventHandler, Need, NotificationDocument, QuestionRules, Store } from '../../noun.ts'
import { forSignedIn, mapAnswer, readPages, sinceCursor } from '../needs.ts'
import {
  amount,
  EPOCH,
  fill,
  flag,
  idOf,
  members,
  moment,
  msOf,
  page,
  parsed,
  text,
} from '../tolerant.ts'
import { markRead, markReadUpTo } from './commands.ts'

const PAGES_MAX = 4

/** [S9.07] */
export const notificationsNeed: Need = {
  key: 'notifications',
  personal: true,
  freshMs: 60_000,
  async fetch({ http, store }, { known }) {
    const pages = (most: number, since: { readonly after?: string }) =>
      readPages(
        http,
        listNotifications,
        { query: { page_size: PAGE_SIZE_MAX, ...since } },
        most,
        (body) => page(body, readNotification),
      )
    const changes = await sinceCursor(known, (after) => pages(PAGES_MAX, { after }))
    const reply = changes ?? (await pages(1, {}))
    return mapAnswer(reply, async (all) => {
      await keep(
        store,
        all.flatMap(({ rows }) => rows),
      )
      return { cursor: all.findLast((one) => one.cursor !== null)?.cursor ?? null }
    })
  },
}

/** An unknown event is shown by its texts. */
export function readNotification(body: unknown) {
  const {
    id: given,
    event_id,
    event: named,
    type,
    ts,
    created_at,
    message,
    severity: level,
    tag,
    meta,
    read,
    is_read,
  } = members(body)
  const id = idOf(given) ?? text(event_id)
  const event = text(named) ?? text(type)
  if (id === null || event === null) return null
  const whole = parsed(
    notification,
    fill(notification.entries, body, {
      event,
      event_id: text(event_id) ?? id,
      ts: moment(ts ?? created_at) ?? EPOCH,
      message: parsed(notification.entries.message, message) ?? text(message) ?? '',
      severity: parsed(severity, level) ?? 'info',
      tag: text(tag) ?? `${event}:${id}`,
      meta: { ...members(meta), count: amount(members(meta)['count']) ?? 1 },
      read: flag(read ?? is_read) ?? false,
    }),
  )
  return whole && { ...whole, id, newest: -msOf(whole.ts) }
}

/** With the merged count [S4.13], and read if it was read here. */
async function keep({ notifications }: Store, rows: readonly NotificationDocument[]) {
  await notifications.put(rows, (stored, incoming) => ({
    ...incoming,
    meta: { ...incoming.meta, count: Math.max(stored.meta.count, incoming.meta.count) },
    read: stored.read || incoming.read,
  }))
  const all = await notifications.find().exec()
  await notifications.remove(all.slice(NOTIFICATIONS_STORED).map(({ id }) => id))
}

export function unreadOf(all: readonly NotificationDocument[]) {
  return all.filter(({ read }) => !read).length
}

/** Messages of one conversation are one entry [S4.13], equal tags within 2.5 s too [S4.15]. */
export function merged(newestFirst: readonly NotificationDocument[]) {
  const shown: NotificationDocument[] = []
  /** Per kind: index of its newest entry, and time of the oldest merged row. */
  const last = new Map<string, { readonly at: number; readonly ms: number }>()
  for (const row of newestFirst) {
    const message = row.event === 'message.created' && row.conversation_id !== null
    const kind = message ? `message ${row.conversation_id}` : `tag ${row.tag}`
    const ms = msOf(row.ts)
    const before = last.get(kind)
    const entry = before && shown[before.at]
    if (before && entry && before.ms - ms <= (message ? MESSAGE_MERGE_MS : SAME_TAG_MS)) {
      if (message) {
        shown[before.at] = {
          ...entry,
          read: entry.read && row.read,
          meta: { ...entry.meta, count: entry.meta.count + row.meta.count },
        }
        last.set(kind, { at: before.at, ms })
      }
    } else {
      last.set(kind, { at: shown.length, ms })
      shown.push(row)
    }
  }
  return shown
}

export const questions = {
  'notifications.latest': {
    watch: ({ limit }, { store }) =>
      store.notifications.find({ limit: NOTIFICATIONS_STORED }).$.pipe(
        map((all) => ({
          rows: merged(all).slice(0, limit),
          facts: { unread: unreadOf(all) },
        })),
      ),
    needs: forSignedIn(notificationsNeed),
  },
} satisfies QuestionRules

/** [API 4.9] */
const UNLISTED: readonly string[] = ['conversation.updated', 'notification.read']

/** [S3.14]; not shown again with the same tag [S4.15]. */
const any: EventHandler = async (event, _frame, { store }) => {
  if (UNLISTED.includes(event.event)) return { notified: null }
  const document = readNotification(event)
  if (!document) return { notified: null }
  const known = await store.notifications.findOne(document.id).exec()
  const [newest] = await store.notifications.find({ limit: 1 }).exec()
  await keep(store, [document])
  const again =
    newest?.tag === document.tag && Math.abs(newest.newest - document.newest) <= SAME_TAG_MS
  return { notified: document.read || known !== null || again ? null : document.id }
}

/** On another device of the user. */
const read: EventHandler = async (event, _frame, { store }) => {
  const { ids, upTo } = event.meta
  for (const id of Array.isArray(ids) ? ids : [])
    if (typeof id === 'string') await markRead(store, id)
  if (typeof upTo === 'string') await markReadUpTo(store, upTo)
}

export const notificationEvents = {
  '*': any,
  'notification.read': read,
}
