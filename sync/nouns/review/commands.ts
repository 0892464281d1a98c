import { PAGE_SIZE } from '#schema/limits'
import type { Payload } from '#schema/port/command'
import { writeReview } from '#schema/wire/review'
import type { CommandRule, CommandRules } from '../../noun.ts'
import { clean } from '../clean.ts'
import { collapseAll } from '../desired.ts'
import { idOf, members } from '../tolerant.ts'

const write: CommandRule<Payload<'review.write'>, { readonly id: string }> = {
  lane: ({ seller }) => `review:${seller}`,
  /** A newer review replaces one that was not sent. */
  collapse: (_payload, waiting, refused, id) => collapseAll(id, waiting, refused),
  deliver: ({ payload: { seller, rating, comment } }) => ({
    call: writeReview,
    body: { seller_id: seller, rating, comment: clean(comment) },
  }),
  answer(body) {
    const id = idOf(members(body)['id'])
    return id === null ? null : { id }
  },
  async settle({ payload: { seller } }, _answer, tools) {
    tools.refetchQuestion('shop.reviews', { slug: seller, limit: PAGE_SIZE })
  },
  edit: (payload, content) => ({ ...payload, comment: content }),
}

export const commands = { 'review.write': write } satisfies CommandRules
