import { combineLatest, map } from 'rxjs'
import * as v from 'valibot'
import { listReviews, readAggregate, review, reviewAggregate } from '#schema/wire/review'
import type { ListDocument, Need, QuestionRules } from '../../noun.ts'
import { factsNeed, mapAnswer, observeFacts, observeList } from '../needs.ts'
import { amount, EPOCH, fill, idOf, members, moment, page, parsed, seller } from '../tolerant.ts'

/** Few and small: the list document contains them. */
const storedIn = (list: ListDocument | null) => parsed(v.array(review), list?.facts)

function reviewsNeed(slug: string, limit: number): Need {
  return {
    key: `reviews:${slug}`,
    personal: false,
    freshMs: 5 * 60_000,
    isIncomplete: (known) => known.next !== null && known.ids.length < limit,
    async fetch({ http }, { known, stale }) {
      const next = stale ? null : (known?.next ?? null)
      const options = next === null ? { query: { seller: slug }, etag: known?.etag } : { next }
      const reply = await http.call(listReviews, options, (body) => page(body, readReview))
      return mapAnswer(reply, (fetched) => {
        const before = next === null ? [] : (storedIn(known) ?? [])
        const rows = new Map([...before, ...fetched.rows].map((row) => [row.id, row]))
        return {
          ids: [...rows.keys()],
          facts: [...rows.values()],
          next: fetched.next,
          ...(next === null && { count: fetched.count }),
        }
      })
    },
  }
}

/** Personal, because it includes what the user may do. */
const aggregateNeed = (slug: string) =>
  factsNeed(`aggregate:${slug}`, readAggregate, { params: { id: slug } })

function readReview(body: unknown) {
  const { id, rating, reviewer, seller_id, seller: to, created_at, updated_at } = members(body)
  const by = seller(reviewer)
  if (idOf(id) === null || amount(rating) === null || by.id === '') return null
  return fill(review.entries, body, {
    seller_id: idOf(seller_id) ?? idOf(to) ?? '',
    reviewer: by,
    updated_at: moment(updated_at) ?? moment(created_at) ?? EPOCH,
  })
}

export const questions = {
  'shop.reviews': {
    watch: ({ slug, limit }, { store }) =>
      combineLatest([
        observeList(store, reviewsNeed(slug, limit)),
        observeFacts(store, aggregateNeed(slug), reviewAggregate),
      ]).pipe(
        map(([list, aggregate]) => {
          const rows = storedIn(list)
          return {
            rows: rows?.slice(0, limit) ?? [],
            facts: {
              count: list?.count ?? null,
              more: (rows?.length ?? 0) > limit || (list?.next ?? null) !== null,
              aggregate,
            },
            noDataYet: rows === null,
          }
        }),
      ),
    needs: ({ slug, limit }) => [reviewsNeed(slug, limit), aggregateNeed(slug)],
  },
} satisfies QuestionRules
