import { PAGE_SIZE } from '#schema/limits'
import type { Payload } from '#schema/port/command'
import { writeReview } from '#schema/wire/review'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { collapseAll } from '../collapse.ts'
import { clean, createdAnswer } from '../tolerant.ts'

const write: CommandRule<Payload<'review.write'>, { readonly id: string }> = {
  lane: ({ seller }) => `review:${seller}`,
  collapse: (_payload, waiting, refused, id) => collapseAll(id, waiting, refused),
  deliver: ({ payload: { seller, rating, comment } }) => ({
    call: writeReview,
    body: { seller_id: seller, rating, comment: clean(comment) },
  }),
  answer: createdAnswer,
  async settle({ payload: { seller } }, _answer, tools) {
    tools.refetchQuestion('shop.reviews', { slug: seller, limit: PAGE_SIZE })
  },
  edit: (payload, content) => ({ ...payload, comment: content }),
}

export const commands = { 'review.write': write } satisfies CommandRules
