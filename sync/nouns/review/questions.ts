import { combineLatest, map } from 'rxjs'
import * as v from 'valibot'
import type { ListDocument } from '#schema/disk/documents'
import {
  listReviews,
  readAggregate,
  review,
  reviewAggregate,
  type Review,
} from '#schema/wire/review'
import type { Need, QuestionRule, QuestionRules, CallResult } from '../../noun.ts'
import { factsNeed, factsOf, observeFacts } from '../needs.ts'
import { amount, EPOCH, idOf, members, moment, page, seller, text, type Page } from '../tolerant.ts'

const FRESH_MS = 5 * 60_000

const reviews: QuestionRule<'shop.reviews'> = {
  watch: ({ slug, limit }, { store }) =>
    combineLatest([
      store.lists.findOne(reviewsNeed(slug, limit).key).$,
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
            problem: list?.problem ?? null,
          },
          noDataYet: rows === null,
        }
      }),
    ),
  needs: ({ slug, limit }) => [reviewsNeed(slug, limit), aggregateNeed(slug)],
  samples: [{ slug: 'boutique-2', limit: 10 }],
}

/** Reviews are few and small, so the list document's facts contain them. */
const storedIn = (list: ListDocument | null) => factsOf(list, v.array(review))

function reviewsNeed(slug: string, limit: number): Need {
  return {
    key: `reviews:${slug}`,
    personal: false,
    freshMs: FRESH_MS,
    isIncomplete: (known) => known.next !== null && known.ids.length < limit,
    async fetch({ http }, { known, stale }) {
      const next = stale ? null : (known?.next ?? null)
      const options =
        next === null ? { query: { seller: slug }, etag: known?.etag ?? null } : { next }
      const reply: CallResult<Page<Review>> = await http.call(listReviews, options, (body) =>
        page(body, readReview),
      )
      if (reply.kind !== 'done') return reply
      const before = next === null ? [] : (storedIn(known) ?? [])
      const rows = [
        ...new Map([...before, ...reply.answer.rows].map((row) => [row.id, row])).values(),
      ]
      return {
        ...reply,
        answer: {
          ids: rows.map(({ id }) => id),
          facts: rows,
          next: reply.answer.next,
          ...(next === null && { count: reply.answer.count }),
        },
      }
    },
  }
}

/** Personal, because it includes what the user may do. */
const aggregateNeed = (slug: string) =>
  factsNeed({ key: `aggregate:${slug}`, personal: true, freshMs: FRESH_MS }, readAggregate, {
    params: { id: slug },
  })

function readReview(body: unknown): Review | null {
  const object = members(body)
  const id = idOf(object['id'])
  const rating = amount(object['rating'])
  const reviewer = seller(object['reviewer'])
  if (id === null || rating === null || reviewer.id === '') return null
  const created = moment(object['created_at']) ?? EPOCH
  return {
    id,
    seller_id: idOf(object['seller_id']) ?? idOf(object['seller']) ?? '',
    reviewer,
    rating,
    comment: text(object['comment']) ?? '',
    created_at: created,
    updated_at: moment(object['updated_at']) ?? created,
  }
}

export const questions = { 'shop.reviews': reviews } satisfies QuestionRules
