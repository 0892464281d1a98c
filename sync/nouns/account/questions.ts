import { combineLatest, map } from 'rxjs'
import * as v from 'valibot'
import type { Entry } from '#schema/disk/entry'
import { me as readMe } from '#schema/wire/account'
import { listBlocks } from '#schema/wire/block'
import {
  preferences,
  type Preferences,
  readPreferences,
  somePreferences,
} from '#schema/wire/notification'
import { sellerMini } from '#schema/wire/shapes'
import type { Need, QuestionRule, QuestionRules } from '../../noun.ts'
import { conversationsNeed } from '../conversation/need.ts'
import { BLOCKED } from './commands.ts'
import { unreadOf as unreadMessages } from '../conversation/questions.ts'
import { notificationsNeed, unreadOf } from '../notification/questions.ts'
import { page, seller } from '../tolerant.ts'
import { readAccount } from './read.ts'

const FRESH_MS = 5 * 60_000

/**
 * Badges are counted from local data, or taken from the server's counters before that data was
 * loaded.
 */
const mine: QuestionRule<'account.me'> = {
  watch: (_, { store }) =>
    combineLatest([
      store.observeOne('account', 'me'),
      store.observe('conversations', { index: ['newest'] }),
      store.observe('notifications', { index: ['newest'] }),
      store.observeOne('ownLists', conversationsNeed.key),
      store.observeOne('ownLists', notificationsNeed.key),
    ]).pipe(
      map(([me, conversations, notifications, messagesBook, noticesBook]) => ({
        rows: me === null ? [] : [me],
        facts: {
          unreadMessages:
            messagesBook === null
              ? (me?.user.counters.unread_messages ?? 0)
              : unreadMessages(conversations.filter(({ movedTo }) => movedTo === null)),
          unreadNotifications:
            noticesBook === null
              ? (me?.user.counters.unread_notifications ?? 0)
              : unreadOf(notifications),
        },
        empty: me === null,
      })),
    ),
  needs: (_, { currentUser }) => (currentUser().me === '' ? [] : [meNeed]),
  samples: [{}],
}

export const meNeed: Need = {
  key: 'me',
  personal: true,
  freshMs: FRESH_MS,
  async fetch({ http, store }, { known }) {
    const here = await store.one('account', 'me')
    const reply = await http.call(
      readMe,
      { etag: here === null ? null : (known?.etag ?? null) },
      readAccount,
    )
    if (reply.kind !== 'done') return reply
    await store.put('account', [reply.answer])
    return { ...reply, answer: {} }
  },
}

/** Changes that wait in the outbox are applied: a switch moves at once, also offline. */
const settings: QuestionRule<'account.preferences'> = {
  watch: (_, { store, outbox }) =>
    combineLatest([store.observeOne('ownLists', preferencesNeed.key), outbox]).pipe(
      map(([list, entries]) => {
        const stored = v.safeParse(preferences, list?.facts)
        return stored.success ? withChanges(stored.output, entries) : null
      }),
      map((values) => ({ rows: [], facts: { preferences: values }, empty: values === null })),
    ),
  needs: (_, { currentUser }) => (currentUser().me === '' ? [] : [preferencesNeed]),
  samples: [{}],
}

function withChanges(stored: Preferences, entries: readonly Entry[]): Preferences {
  return entries.reduce((values, { name, payload, state, problem }) => {
    // An acknowledged entry with a problem was removed.
    const dropped = state === 'refused' || (state === 'acknowledged' && problem !== null)
    if (name !== 'preferences.change' || dropped) return values
    const change = v.safeParse(somePreferences, payload)
    if (!change.success) return values
    const { messages, announcements, system, quiet_hours } = change.output
    const changed = v.safeParse(preferences, {
      messages: { ...values.messages, ...messages },
      announcements: { ...values.announcements, ...announcements },
      system: { ...values.system, ...system },
      quiet_hours: { ...values.quiet_hours, ...quiet_hours },
    })
    return changed.success ? changed.output : values
  }, stored)
}

/** Its facts are the preferences. */
const preferencesNeed: Need = {
  key: 'preferences',
  personal: true,
  freshMs: FRESH_MS,
  async fetch({ http }, { known }) {
    const reply = await http.call(readPreferences, { etag: known?.etag ?? null })
    return reply.kind === 'done' ? { ...reply, answer: { facts: reply.answer } } : reply
  },
}

const blocked: QuestionRule<'account.blocked'> = {
  watch: (_, { store }) =>
    store.observeOne('ownLists', blockedNeed.key).pipe(
      map((book) => v.safeParse(v.array(sellerMini), book?.facts)),
      map((said) => ({ rows: said.success ? said.output : [], facts: {}, empty: !said.success })),
    ),
  needs: (_, { currentUser }) => (currentUser().me === '' ? [] : [blockedNeed]),
  samples: [{}],
}

/** Its facts are the blocked users. */
const blockedNeed: Need = {
  key: BLOCKED,
  personal: true,
  freshMs: FRESH_MS,
  async fetch({ http }, { known }) {
    const reply = await http.call(listBlocks, { etag: known?.etag ?? null }, (body) =>
      page(body, seller),
    )
    return reply.kind === 'done' ? { ...reply, answer: { facts: reply.answer.rows } } : reply
  },
}

export const questions = {
  'account.me': mine,
  'account.preferences': settings,
  'account.blocked': blocked,
} satisfies QuestionRules
