import type { Payload } from '#schema/port/command'
import {
  markAllNotificationsRead,
  markNotificationRead,
  type Preferences,
  preferences,
  writePreferences,
} from '#schema/wire/notification'
import * as v from 'valibot'
import type { CommandRule, CommandRules, Delivery, Store } from '../../noun.ts'
import { amount, members } from '../tolerant.ts'

export async function markRead(store: Store, id: string): Promise<void> {
  await store.notifications.change(id, (stored) => (stored.read ? null : { ...stored, read: true }))
}

/** Marks the notification and all older ones. */
export async function markReadUpTo(store: Store, id: string): Promise<void> {
  const newest = (await store.notifications.findOne(id).exec())?.newest
  if (newest === undefined) return
  const seen = await store.notifications
    .find({ selector: { newest: { $gte: newest } }, sort: [{ newest: 'asc' }] })
    .exec()
  await store.notifications.put(
    seen.filter((one) => !one.read).map((one) => ({ ...one, read: true })),
  )
}

/**
 * Both commands mark when they are queued, and again when they are settled: the first mark may have
 * failed with full storage, and a row that was missing may have been read before the mark.
 */
function marking<P>(
  mark: (store: Store, id: string) => Promise<void>,
  idIn: (payload: P) => string,
  request: (id: string) => Delivery,
): Omit<CommandRule<P, true>, 'collapse'> {
  return {
    lane: () => 'notifications',
    silent: 'hidden',
    apply: ({ payload }, { store }) => mark(store, idIn(payload)),
    deliver: ({ payload }) => ({ ...request(idIn(payload)), answer: counted }),
    async settle({ payload }, _answer, { store, refetchQuestion }) {
      await mark(store, idIn(payload))
      if ((await store.notifications.findOne(idIn(payload)).exec()) === null)
        refetchQuestion('notifications.latest', { limit: 1 })
    },
  }
}

/** The answer is the unread count; a simpler server answers 204 [API 19]. */
function counted(body: unknown): { readonly answer: true } | null {
  return body === null || amount(members(body)['unread_count']) !== null ? { answer: true } : null
}

const read: CommandRule<Payload<'notification.read'>, true> = {
  ...marking(
    markRead,
    ({ id }) => id,
    (id) => ({ call: markNotificationRead, params: { id } }),
  ),
  collapse: ({ id }, earlier) => (earlier.id === id ? 'same' : null),
}

const readAll: CommandRule<Payload<'notification.readAll'>, true> = {
  ...marking(
    markReadUpTo,
    ({ upTo }) => upTo,
    (upTo) => ({ call: markAllNotificationsRead, body: { up_to: upTo } }),
  ),
  collapse: () => 'replace',
}

/** The stored preferences change with the server's answer; the question shows waiting changes. */
const change: CommandRule<Payload<'preferences.change'>, Preferences> = {
  lane: () => 'preferences',
  deliver: ({ payload }) => ({
    call: writePreferences,
    body: payload,
    answer: (body) => (v.is(preferences, body) ? { answer: body } : null),
  }),
  async settle(_queued, answer, { store }) {
    if (answer) await store.ownLists.change(PREFERENCES, (list) => ({ ...list, facts: answer }))
  },
}

export const PREFERENCES = 'preferences'

export const commands = {
  'notification.read': read,
  'notification.readAll': readAll,
  'preferences.change': change,
} satisfies CommandRules
