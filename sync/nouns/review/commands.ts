import { PAGE_SIZE } from '#schema/limits'
import type { Payload } from '#schema/port/command'
import { writeReview } from '#schema/wire/review'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { clean, createdAnswer } from '../tolerant.ts'

const write: CommandRule<Payload<'review.write'>, true> = {
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
}

export const commands = { 'review.write': write } satisfies CommandRules
