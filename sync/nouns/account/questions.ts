import { combineLatest, map } from 'rxjs'
import { type Entry, isRemoved } from '#schema/disk/entry'
import { payloadOf } from '#schema/port/command'
import { me as readMe } from '#schema/wire/account'
import { listBlocks } from '#schema/wire/block'
import { preferences, type Preferences, readPreferences } from '#schema/wire/notification'
import { sellerMini } from '#schema/wire/shapes'
import type { Need, QuestionRules } from '../../noun.ts'
import { conversationsNeed, unreadOf as unreadMessages } from '../conversation/questions.ts'
import {
  factsNeed,
  forSignedIn,
  mapAnswer,
  observeFacts,
  observeList,
  rowsInFacts,
} from '../needs.ts'
import { PREFERENCES } from '../notification/commands.ts'
import { notificationsNeed, unreadOf } from '../notification/questions.ts'
import { members, page, parsed, seller } from '../tolerant.ts'
import { BLOCKED, readAccount } from './commands.ts'

export const meNeed: Need = {
  key: 'me',
  personal: true,
  freshMs: 5 * 60_000,
  async fetch({ http, store }, { known }) {
    const stored = await store.account.findOne('me').exec()
    const reply = await http.call(readMe, { etag: stored && known?.etag }, readAccount)
    return mapAnswer(reply, async (account) => {
      await store.account.put([account])
      return {}
    })
  },
}

const preferencesNeed = factsNeed(PREFERENCES, readPreferences, {})

function withChanges(stored: Preferences, entries: readonly Entry[]) {
  return entries.reduce((values, entry) => {
    const { name, payload } = entry
    const dropped = entry.state === 'refused' || isRemoved(entry)
    const change = name === 'preferences.change' && !dropped ? payloadOf(name, payload) : null
    if (change === null) return values
    const changed = Object.entries(values).map(([group, value]) => [
      group,
      { ...value, ...members(members(change)[group]) },
    ])
    return parsed(preferences, Object.fromEntries(changed)) ?? values
  }, stored)
}

export const questions = {
  'account.me': {
    watch: (_, { store }) =>
      combineLatest([
        store.account.findOne('me').$,
        store.conversations.find().$,
        store.notifications.find().$,
        observeList(store, conversationsNeed),
        observeList(store, notificationsNeed),
      ]).pipe(
        map(([me, conversations, notifications, messageList, notificationList]) => ({
          rows: me ? [me] : [],
          facts: {
            unreadMessages:
              messageList === null
                ? (me?.user.counters.unread_messages ?? 0)
                : unreadMessages(conversations),
            unreadNotifications:
              notificationList === null
                ? (me?.user.counters.unread_notifications ?? 0)
                : unreadOf(notifications),
          },
        })),
      ),
    needs: forSignedIn(meNeed),
  },
  'account.preferences': {
    watch: (_, { store, outbox }) =>
      combineLatest([observeFacts(store, preferencesNeed, preferences), outbox]).pipe(
        map(([stored, entries]) => ({
          rows: [],
          facts: { preferences: stored && withChanges(stored, entries) },
        })),
      ),
    needs: forSignedIn(preferencesNeed),
  },
  'account.blocked': rowsInFacts(
    sellerMini,
    factsNeed(BLOCKED, listBlocks, {}, (body) => page(body, seller)?.rows ?? null),
  ),
} satisfies QuestionRules
