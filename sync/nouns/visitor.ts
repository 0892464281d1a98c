import type { Nouns } from '../engine.ts'
import { questions as catalogue } from './catalogue/questions.ts'
import { commands as favourite } from './favourite/commands.ts'
import { questions as favourites } from './favourite/questions.ts'
import { commands as listing } from './listing/commands.ts'
import { listingRequests, questions as listings } from './listing/questions.ts'
import { questions as outbox } from './outbox/questions.ts'
import { commands as report } from './report/commands.ts'
import { questions as review } from './review/questions.ts'
import { questions as shop } from './shop/questions.ts'

/** Loaded at the first visit. */
export const visitorNouns = {
  questions: { ...listings, ...favourites, ...shop, ...review, ...catalogue, ...outbox },
  commands: { ...favourite, ...listing, ...report },
  requests: listingRequests,
} satisfies Nouns
