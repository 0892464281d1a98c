import type { Nouns } from './engine.ts'
import { receive } from './inbox/receive.ts'
import { createStream } from './inbox/stream.ts'
import { meNeed } from './nouns/account/questions.ts'
import { accountRequests } from './nouns/account/requests.ts'
import { commands } from './nouns/commands.ts'
import { messageEvents, messageEphemeral } from './nouns/conversation/events.ts'
import { conversationsNeed } from './nouns/conversation/questions.ts'
import { favouritesNeed } from './nouns/favourite/questions.ts'
import { draftRequests, listingEvents } from './nouns/listing/ownQuestions.ts'
import { listingRequests } from './nouns/listing/questions.ts'
import { notificationEvents, notificationsNeed } from './nouns/notification/questions.ts'
import { questions } from './nouns/questions.ts'
import { searchRequests } from './nouns/search/questions.ts'

/** With the event stream, which visitors do not use. */
export const nouns: Nouns = {
  questions,
  commands,
  requests: { ...accountRequests, ...listingRequests, ...draftRequests, ...searchRequests },
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
