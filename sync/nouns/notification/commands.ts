import type { Payload } from '#schema/port/command'
import { markAllNotificationsRead, markNotificationRead, type Preferences, preferences, writePreferences } from '#schema/wire/notification'
import * as v from 'valibot'
import type { CommandRule, CommandRules } from '../../noun.ts'

const read: CommandRule<Payload<'notification.read'>, true> = {
  lane: () => 'notifications',
  quiet: true,
  collapse: ({ id }, waiting) => ({ drop: [], queue: !waiting.some(({ payload }) => payload.id === id) }),
  async apply({ payload: { id } }, { store }) {
    await store.change('notifications', id, (here) => (here.read ? null : { ...here, read: true }))
  },
  deliver: ({ payload: { id } }) => ({ call: markNotificationRead, params: { id } }),
  answer: () => true,
}

const readAll: CommandRule<Payload<'notification.readAll'>, true> = {
  lane: () => 'notifications',
  quiet: true,
  collapse: (_payload, waiting) => ({ drop: waiting.map(({ id }) => id), queue: true }),
  async apply({ payload: { upTo } }, { store }) {
    const newest = (await store.one('notifications', upTo))?.newest
    if (newest === undefined) return
    const seen = await store.find('notifications', { index: ['newest'], after: newest - 1 })
    await store.put('notifications', seen.filter((one) => !one.read).map((one) => ({ ...one, read: true })))
  },
  deliver: ({ payload: { upTo } }) => ({ call: markAllNotificationsRead, body: { up_to: upTo } }),
  answer: () => true,
}

/** Each change is laid over the server's answer by the question until the server holds it. */
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

/** Key of the list document that holds the server's preferences. */
export const PREFERENCES = 'preferences'

export const commands = { 'notification.read': read, 'notification.readAll': readAll, 'preferences.change': change } satisfies Partial<CommandRules>
