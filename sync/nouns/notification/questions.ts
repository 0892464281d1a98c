import { map } from 'rxjs'
import type { NotificationDocument } from '#schema/disk/documents'
import { NOTIFICATIONS_STORED, PAGE_SIZE_MAX } from '#schema/limits'
import { listNotifications } from '#schema/wire/notification'
import type { Need, QuestionRules, Store } from '../../noun.ts'
import { forSignedIn, isGone, readPages } from '../needs.ts'
import { page } from '../tolerant.ts'
import { merged } from './merge.ts'
import { readNotification } from './read.ts'

const FRESH_MS = 60_000
const PAGES_MAX = 4

/** Changes since the last answer, or the newest 50 (200 are stored [S9.07]). */
export const notificationsNeed: Need = {
  key: 'notifications',
  personal: true,
  freshMs: FRESH_MS,
  async fetch({ http, store }, { known }) {
    const pages = (most: number, since: { readonly after?: string }) =>
      readPages(
        http,
        listNotifications,
        { query: { page_size: PAGE_SIZE_MAX, ...since } },
        most,
        (body) => page(body, readNotification),
      )
    const after = known?.cursor ?? null
    const changes = after === null ? null : await pages(PAGES_MAX, { after })
    const reply = changes === null || isGone(changes) ? await pages(1, {}) : changes
    if (reply.kind !== 'done') return reply
    await store.notifications.put(
      reply.answer.flatMap(({ rows }) => rows),
      newer,
    )
    await trim(store)
    const cursor = reply.answer.findLast((one) => one.cursor !== null)?.cursor ?? null
    return { kind: 'done', answer: { cursor } }
  },
}

/** Keeps the merged count [S4.13], and the local read state until the server confirms it. */
function newer(stored: NotificationDocument, incoming: NotificationDocument): NotificationDocument {
  return {
    ...incoming,
    meta: { ...incoming.meta, count: Math.max(stored.meta.count, incoming.meta.count) },
    read: stored.read || incoming.read,
  }
}

export function unreadOf(all: readonly NotificationDocument[]): number {
  return all.filter(({ read }) => !read).length
}

export async function trim(store: Store): Promise<void> {
  const all = await store.notifications.find({ sort: [{ newest: 'asc' }] }).exec()
  await store.notifications.remove(all.slice(NOTIFICATIONS_STORED).map(({ id }) => id))
}

export const questions = {
  'notifications.latest': {
    watch: ({ limit }, { store }) =>
      store.notifications.find({ sort: [{ newest: 'asc' }], limit: NOTIFICATIONS_STORED }).$.pipe(
        map((all) => ({
          rows: merged(all).slice(0, limit),
          facts: { unread: unreadOf(all) },
        })),
      ),
    needs: forSignedIn(notificationsNeed),
  },
} satisfies QuestionRules
