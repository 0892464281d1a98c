import type { Payload } from '#schema/port/command'
import {
  markAllNotificationsRead,
  markNotificationRead,
  type Preferences,
  preferences,
  writePreferences,
} from '#schema/wire/notification'
import * as v from 'valibot'
import type { CommandRule, CommandRules, Store } from '../../noun.ts'
import { collapseAll, collapseSame } from '../collapse.ts'
import { amount, members } from '../tolerant.ts'

/** The answer is the unread count; a simpler server answers 204 [API 19]. */
function counted(body: unknown): true | null {
  return body === null || amount(members(body)['unread_count']) !== null ? true : null
}

export async function markRead(store: Store, id: string): Promise<void> {
  await store.change('notifications', id, (stored) =>
    stored.read ? null : { ...stored, read: true },
  )
}

/** Marks the notification and all older ones. */
export async function markReadUpTo(store: Store, id: string): Promise<void> {
  const newest = (await store.one('notifications', id))?.newest
  if (newest === undefined) return
  const seen = await store.notifications
    .find({ selector: { newest: { $gte: newest } }, sort: [{ newest: 'asc' }] })
    .exec()
  await store.put(
    'notifications',
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
): Pick<CommandRule<P, true>, 'lane' | 'silent' | 'hidden' | 'apply' | 'settle' | 'answer'> {
  return {
    lane: () => 'notifications',
    silent: true,
    hidden: true,
    apply: ({ payload }, { store }) => mark(store, idIn(payload)),
    async settle({ payload }, _answer, { store, refetchQuestion }) {
      await mark(store, idIn(payload))
      if ((await store.one('notifications', idIn(payload))) === null)
        refetchQuestion('notifications.latest', { limit: 1 })
    },
    answer: counted,
  }
}

const read: CommandRule<Payload<'notification.read'>, true> = {
  ...marking(markRead, ({ id }) => id),
  collapse: (one, waiting, _refused, id) =>
    collapseSame(id, waiting, (payload) => payload.id === one.id),
  deliver: ({ payload: { id } }) => ({ call: markNotificationRead, params: { id } }),
}

const readAll: CommandRule<Payload<'notification.readAll'>, true> = {
  ...marking(markReadUpTo, ({ upTo }) => upTo),
  collapse: (_payload, waiting, refused, id) => collapseAll(id, waiting, refused),
  deliver: ({ payload: { upTo } }) => ({ call: markAllNotificationsRead, body: { up_to: upTo } }),
}

/** The stored preferences change with the server's answer; the question shows waiting changes. */
const change: CommandRule<Payload<'preferences.change'>, Preferences> = {
  lane: () => 'preferences',
  deliver: ({ payload }) => ({ call: writePreferences, body: payload }),
  answer(body) {
    const whole = v.safeParse(preferences, body)
    return whole.success ? whole.output : null
  },
  async settle(_queued, answer, { store }) {
    if (answer) await store.change('ownLists', PREFERENCES, (list) => ({ ...list, facts: answer }))
  },
}

export const PREFERENCES = 'preferences'

export const commands = {
  'notification.read': read,
  'notification.readAll': readAll,
  'preferences.change': change,
} satisfies CommandRules
