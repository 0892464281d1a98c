import type { QuestionName } from '#schema/port/question'
import type { QuestionRule } from '../noun.ts'
import { questions as account } from './account/questions.ts'
import { questions as conversation } from './conversation/questions.ts'
import { questions as follow } from './follow/questions.ts'
import { questions as mine } from './listing/ownQuestions.ts'
import { questions as notification } from './notification/questions.ts'
import { questions as search } from './search/questions.ts'
import { visitorNouns } from './visitor.ts'

export const questions: { readonly [N in QuestionName]: QuestionRule<N> } = {
  ...visitorNouns.questions,
  ...mine,
  ...follow,
  ...search,
  ...conversation,
  ...notification,
  ...account,
}
