import type { Payload } from '#schema/port/command'
import {
  markAllNotificationsRead,
  markNotificationRead,
  type Preferences,
  preferences,
  writePreferences,
} from '#schema/wire/notification'
import type { CommandRule, CommandRules, Delivery, Store } from '../../noun.ts'
import { amount, answeredIf, answerOf, members, parsed } from '../tolerant.ts'

export async function markRead(store: Store, id: string): Promise<void> {
  await store.notifications.change(id, (stored) => (stored.read ? null : { ...stored, read: true }))
}

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
    deliver: ({ payload }) => ({
      ...request(idIn(payload)),
      /** The unread count; a simpler server answers 204 [API 19]. */
      answer: answeredIf((body) => body === null || amount(members(body)['unread_count']) !== null),
    }),
    async settle({ payload }, _answer, { store, refetchQuestion }) {
      await mark(store, idIn(payload))
      if ((await store.notifications.findOne(idIn(payload)).exec()) === null)
        refetchQuestion('notifications.latest', { limit: 1 })
    },
  }
}

/** The stored preferences change with the server's answer; the question shows waiting changes. */
const change: CommandRule<Payload<'preferences.change'>, Preferences> = {
  lane: () => 'preferences',
  deliver: ({ payload }) => ({
    call: writePreferences,
    body: payload,
    answer: answerOf((body) => parsed(preferences, body)),
  }),
  async settle(_queued, answer, { store }) {
    if (answer) await store.ownLists.change(PREFERENCES, (list) => ({ ...list, facts: answer }))
  },
}

export const PREFERENCES = 'preferences'

export const commands = {
  'notification.read': {
    ...marking<Payload<'notification.read'>>(
      markRead,
      ({ id }) => id,
      (id) => ({ call: markNotificationRead, params: { id } }),
    ),
    collapse: ({ id }, earlier) => (earlier.id === id ? 'same' : null),
  },
  'notification.readAll': {
    ...marking<Payload<'notification.readAll'>>(
      markReadUpTo,
      ({ upTo }) => upTo,
      (upTo) => ({ call: markAllNotificationsRead, body: { up_to: upTo } }),
    ),
    collapse: () => 'replace',
  },
  'preferences.change': change,
} satisfies CommandRules
