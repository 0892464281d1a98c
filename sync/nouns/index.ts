import type { Nouns } from '../engine.ts'
import { meNeed, questions as account } from './account/questions.ts'
import { accountRequests } from './account/requests.ts'
import { questions as catalogue } from './catalogue/questions.ts'
import { commands } from './commands.ts'
import { conversationsNeed } from './conversation/need.ts'
import { questions as conversation } from './conversation/questions.ts'
import { favouritesNeed, questions as favourite } from './favourite/questions.ts'
import { questions as listing } from './listing/questions.ts'
import { listingRequests } from './listing/requests.ts'
import { messageEvents, messagePasses } from './message/events.ts'
import { questions as message } from './message/questions.ts'
import { notificationEvents } from './notification/events.ts'
import { notificationsNeed, questions as notification } from './notification/questions.ts'
import { questions as outbox } from './outbox/questions.ts'
import { questions as shop } from './shop/questions.ts'

/** All nouns: what the machinery knows of the market. */
export const nouns: Nouns = {
  questions: { ...listing, ...favourite, ...shop, ...conversation, ...message, ...notification, ...account, ...catalogue, ...outbox },
  commands,
  requests: { ...accountRequests, ...listingRequests },
  events: { ...messageEvents, ...notificationEvents },
  passes: messagePasses,
  // The order of API.md 3; threads that grew follow from the conversations.
  catchUp: ({ who }) => (who().me === '' ? [] : [meNeed, conversationsNeed, notificationsNeed, favouritesNeed]),
}
