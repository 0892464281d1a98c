import { combineLatest, map } from 'rxjs'
import type { NotificationDocument } from '#schema/disk/documents'
import { NOTIFICATIONS_STORED, PAGE_SIZE_MAX } from '#schema/limits'
import { listNotifications } from '#schema/wire/notification'
import type { Need, QuestionRule, QuestionRules, CallResult, Tools } from '../../noun.ts'
import { page, type Page } from '../tolerant.ts'
import { merged } from './merge.ts'
import { readNotification } from './read.ts'

const FRESH_MS = 60_000
const PAGES_MAX = 4

const latest: QuestionRule<'notifications.latest'> = {
  watch: ({ limit }, { store }) =>
    combineLatest([
      store.observe('notifications', { index: ['newest'], limit: NOTIFICATIONS_STORED }),
      store.observeOne('ownLists', notificationsNeed.key),
    ]).pipe(
      map(([all, book]) => ({
        rows: merged(all).slice(0, limit),
        facts: { unread: unreadOf(all) },
        empty: all.length === 0 && book === null,
      })),
    ),
  needs: (_, { currentUser }) => (currentUser().me === '' ? [] : [notificationsNeed]),
  samples: [{ limit: 6 }],
}

export function unreadOf(all: readonly NotificationDocument[]): number {
  return all.filter(({ read }) => !read).length
}

/** Changes since the last answer, or the newest 50 (200 are stored [S9.07]). */
export const notificationsNeed: Need = {
  key: 'notifications',
  personal: true,
  freshMs: FRESH_MS,
  async fetch(tools, { known }) {
    const cursor = known?.cursor ?? null
    const delta = cursor === null ? null : await pages(tools, cursor)
    const reply =
      delta === null || (delta.kind === 'refused' && delta.status === 410)
        ? await pages(tools, null)
        : delta
    if (reply.kind !== 'done') return reply
    await tools.store.put('notifications', reply.answer.rows, newer)
    await trim(tools)
    return { ...reply, answer: { cursor: reply.answer.cursor } }
  },
}

/** Keeps the merged count [S4.13], and the local read state until the server confirms it. */
function newer(here: NotificationDocument, coming: NotificationDocument): NotificationDocument {
  return {
    ...coming,
    meta: { ...coming.meta, count: Math.max(here.meta.count, coming.meta.count) },
    read: here.read || coming.read,
  }
}

interface Found {
  readonly rows: readonly NotificationDocument[]
  readonly cursor: string | null
}

async function pages({ http }: Tools, after: string | null): Promise<CallResult<Found>> {
  const rows: NotificationDocument[] = []
  let next: string | null = null
  let cursor: string | null = after
  for (let n = 0; n < (after === null ? 1 : PAGES_MAX); n++) {
    const ask: { readonly next?: string; readonly query: object } = {
      query: { page_size: PAGE_SIZE_MAX, ...(after !== null && { after }) },
      ...(next !== null && { next }),
    }
    const reply: CallResult<Page<NotificationDocument>> = await http.call(
      listNotifications,
      ask,
      (body) => page(body, readNotification),
    )
    if (reply.kind !== 'done') return reply
    rows.push(...reply.answer.rows)
    cursor = reply.answer.cursor ?? cursor
    next = reply.answer.next
    if (next === null) break
  }
  return { kind: 'done', answer: { rows, cursor } }
}

async function trim({ store }: Tools): Promise<void> {
  const all = await store.find('notifications', { index: ['newest'] })
  await store.remove(
    'notifications',
    all.slice(NOTIFICATIONS_STORED).map(({ id }) => id),
  )
}

export const questions = { 'notifications.latest': latest } satisfies QuestionRules
