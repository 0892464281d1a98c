import type { QuestionName } from '#schema/port/question'
import type { Nouns } from './engine.ts'
import { receive } from './inbox/receive.ts'
import { createStream } from './inbox/stream.ts'
import type { QuestionRule } from './noun.ts'
import { meNeed, questions as account } from './nouns/account/questions.ts'
import { accountRequests } from './nouns/account/requests.ts'
import { commands } from './nouns/commands.ts'
import { messageEvents, messageEphemeral } from './nouns/conversation/events.ts'
import { conversationsNeed, questions as conversation } from './nouns/conversation/questions.ts'
import { favouritesNeed } from './nouns/favourite/questions.ts'
import { questions as follow } from './nouns/follow/questions.ts'
import { draftRequests, listingEvents, questions as own } from './nouns/listing/ownQuestions.ts'
import {
  notificationEvents,
  notificationsNeed,
  questions as notification,
} from './nouns/notification/questions.ts'
import { questions as search, searchRequests } from './nouns/search/questions.ts'
import { visitorNouns } from './nouns/visitor.ts'

export const questions: { readonly [N in QuestionName]: QuestionRule<N> } = {
  ...visitorNouns.questions,
  ...own,
  ...follow,
  ...search,
  ...conversation,
  ...notification,
  ...account,
}

/** With the event stream, which visitors do not use. */
export const nouns: Nouns = {
  questions,
  commands,
  requests: {
    ...visitorNouns.requests,
    ...accountRequests,
    ...draftRequests,
    ...searchRequests,
  },
  signedIn: {
    events: { ...messageEvents, ...listingEvents, ...notificationEvents },
    ephemeral: messageEphemeral,
    // In the order of [API 3]; conversations schedule their threads.
    catchUp: [meNeed, conversationsNeed, notificationsNeed, favouritesNeed],
    conversations: [conversationsNeed],
    stream: createStream,
    receive,
  },
}
