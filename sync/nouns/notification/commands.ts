import {
  markAllNotificationsRead,
  markNotificationRead,
  type Preferences,
  preferences,
  writePreferences,
} from '#schema/wire/notification'
import type { CommandRule, CommandRules, Delivery, Payload, RuleOf, Store } from '../../noun.ts'
import { amount, answeredIf, answerOf, members, parsed } from '../tolerant.ts'

export async function markRead(store: Store, id: string) {
  await store.notifications.change(id, (stored) => (stored.read ? null : { ...stored, read: true }))
}

export async function markReadUpTo(store: Store, id: string) {
  const newest = (await store.notifications.findOne(id).exec())?.newest
  if (newest === undefined) return
  const seen = await store.notifications.find({ selector: { newest: { $gte: newest } } }).exec()
  await store.notifications.put(
    seen.filter((one) => !one.read).map((one) => ({ ...one, read: true })),
  )
}

/** Marked when queued and when settled: storage may have been full, or the row missing. */
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
      /** A simpler server answers 204 [API 19]. */
      answer: answeredIf((body) => body === null || amount(members(body)['unread_count']) !== null),
    }),
    async settle({ payload }, _answer, { store, refetchQuestion }) {
      await mark(store, idIn(payload))
      if ((await store.notifications.findOne(idIn(payload)).exec()) === null)
        refetchQuestion('notifications.latest', { limit: 1 })
    },
  }
}

const change: RuleOf<'preferences.change', Preferences> = {
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
