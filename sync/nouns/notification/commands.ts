import type { Payload } from '#schema/port/command'
import {
  markAllNotificationsRead,
  markNotificationRead,
  type Preferences,
  preferences,
  writePreferences,
} from '#schema/wire/notification'
import * as v from 'valibot'
import type { CommandRule, CommandRules, Tools } from '../../noun.ts'
import { collapseAll } from '../desired.ts'
import { amount, members } from '../tolerant.ts'

/** The answer is the unread count; a simpler server answers 204 [API 19]. */
function counted(body: unknown): true | null {
  return body === null || amount(members(body)['unread_count']) !== null ? true : null
}

type Read = CommandRule<Payload<'notification.read'>, true>
type ReadAll = CommandRule<Payload<'notification.readAll'>, true>

const markRead: NonNullable<Read['apply']> = async ({ payload: { id } }, { store }) => {
  await store.change('notifications', id, (here) => (here.read ? null : { ...here, read: true }))
}

const markReadUpTo: NonNullable<ReadAll['apply']> = async ({ payload: { upTo } }, { store }) => {
  const newest = (await store.one('notifications', upTo))?.newest
  if (newest === undefined) return
  const seen = await store.find('notifications', { index: ['newest'], after: newest - 1 })
  await store.put(
    'notifications',
    seen.filter((one) => !one.read).map((one) => ({ ...one, read: true })),
  )
}

/** Also what the phone had no room for before it went out; a row that is still to come may be of before the mark. */
async function settled(
  mark: Promise<void>,
  id: string,
  { store, refetchQuestion }: Tools,
): Promise<void> {
  await mark
  if ((await store.one('notifications', id)) === null)
    refetchQuestion('notifications.latest', { limit: 1 })
}

const read: Read = {
  lane: () => 'notifications',
  silent: true,
  hidden: true,
  collapse: (one, waiting, _refused, id) => ({
    drop: [],
    instead: waiting.find(({ payload }) => payload.id === one.id)?.id ?? id,
  }),
  apply: markRead,
  // The optimistic write may have failed with full storage.
  settle: (queued, _answer, tools) => settled(markRead(queued, tools), queued.payload.id, tools),
  deliver: ({ payload: { id } }) => ({ call: markNotificationRead, params: { id } }),
  answer: counted,
}

const readAll: ReadAll = {
  lane: () => 'notifications',
  silent: true,
  hidden: true,
  collapse: (_payload, waiting, refused, id) => collapseAll(id, waiting, refused),
  apply: markReadUpTo,
  settle: (queued, _answer, tools) =>
    settled(markReadUpTo(queued, tools), queued.payload.upTo, tools),
  deliver: ({ payload: { upTo } }) => ({ call: markAllNotificationsRead, body: { up_to: upTo } }),
  answer: counted,
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
    if (answer) await store.change('ownLists', PREFERENCES, (book) => ({ ...book, facts: answer }))
  },
}

export const PREFERENCES = 'preferences'

export const commands = {
  'notification.read': read,
  'notification.readAll': readAll,
  'preferences.change': change,
} satisfies CommandRules
