import type { Nouns } from '../engine.ts'
import { meNeed } from './account/questions.ts'
import { ownAccountRequests } from './account/ownRequests.ts'
import { accountRequests } from './account/requests.ts'
import { commands } from './commands.ts'
import { conversationsNeed } from './conversation/need.ts'
import { favouritesNeed } from './favourite/questions.ts'
import { draftRequests } from './listing/drafts.ts'
import { listingEvents } from './listing/events.ts'
import { listingRequests } from './listing/requests.ts'
import { messageEvents, messagePasses } from './message/events.ts'
import { notificationEvents } from './notification/events.ts'
import { notificationsNeed } from './notification/questions.ts'
import { questions } from './questions.ts'

export const nouns: Nouns = {
  questions,
  commands,
  requests: { ...accountRequests, ...ownAccountRequests, ...listingRequests, ...draftRequests },
  events: { ...messageEvents, ...listingEvents, ...notificationEvents },
  passes: messagePasses,
  // The order of [API 3]; grown threads are scheduled by the conversations.
  catchUp: ({ currentUser }) =>
    currentUser().me === '' ? [] : [meNeed, conversationsNeed, notificationsNeed, favouritesNeed],
  conversations: ({ currentUser }) => (currentUser().me === '' ? [] : [conversationsNeed]),
}
