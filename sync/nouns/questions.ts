import type { QuestionName } from '#schema/port/question'
import type { QuestionRule } from '../noun.ts'
import { questions as account } from './account/questions.ts'
import { questions as catalogue } from './catalogue/questions.ts'
import { questions as conversation } from './conversation/questions.ts'
import { questions as favourite } from './favourite/questions.ts'
import { questions as follow } from './follow/questions.ts'
import { questions as drafts } from './listing/drafts.ts'
import { questions as mine } from './listing/ownQuestions.ts'
import { questions as listing } from './listing/questions.ts'
import { questions as message } from './message/questions.ts'
import { questions as notification } from './notification/questions.ts'
import { questions as outbox } from './outbox/questions.ts'
import { questions as review } from './review/questions.ts'
import { questions as search } from './search/questions.ts'
import { questions as shop } from './shop/questions.ts'

export const questions: { readonly [N in QuestionName]: QuestionRule<N> } = {
  ...listing,
  ...drafts,
  ...mine,
  ...favourite,
  ...shop,
  ...review,
  ...follow,
  ...search,
  ...conversation,
  ...message,
  ...notification,
  ...account,
  ...catalogue,
  ...outbox,
}
