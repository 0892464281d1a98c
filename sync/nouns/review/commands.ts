import { PAGE_SIZE } from '#schema/limits'
import { writeReview } from '#schema/wire/review'
import { clean } from '#schema/text'
import type { CommandRules } from '../../noun.ts'
import { createdAnswer } from '../tolerant.ts'

export const commands = {
  'review.write': {
    lane: ({ seller }) => `review:${seller}`,
    collapse: () => 'replace',
    deliver: ({ payload: { seller, rating, comment } }) => ({
      call: writeReview,
      body: { seller_id: seller, rating, comment: clean(comment) },
      answer: createdAnswer,
    }),
    async settle({ payload: { seller } }, _answer, tools) {
      tools.refetchQuestion('shop.reviews', { slug: seller, limit: PAGE_SIZE })
    },
    change: { text: (payload, comment) => ({ ...payload, comment }) },
  },
} satisfies CommandRules
