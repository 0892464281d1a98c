import { combineLatest, map } from 'rxjs'
import * as v from 'valibot'
import {
  listReviews,
  readAggregate,
  review,
  reviewAggregate,
  type Review,
} from '#schema/wire/review'
import type { Need, QuestionRule, QuestionRules, CallResult } from '../../noun.ts'
import { amount, idOf, members, moment, page, seller, text, type Page } from '../tolerant.ts'

const FRESH_MS = 5 * 60_000

const reviews: QuestionRule<'shop.reviews'> = {
  watch: ({ slug, limit }, { store }) =>
    combineLatest([
      store.observeOne('lists', reviewsNeed(slug, limit).key),
      store.observeOne('ownLists', aggregateNeed(slug).key),
    ]).pipe(
      map(([book, own]) => {
        const rows = v.safeParse(v.array(review), book?.facts)
        const all = rows.success ? rows.output : []
        const aggregate = v.safeParse(reviewAggregate, own?.facts)
        return {
          rows: all.slice(0, limit),
          facts: {
            count: book?.count ?? null,
            more: all.length > limit || (book?.next ?? null) !== null,
            aggregate: aggregate.success ? aggregate.output : null,
            problem: book?.problem ?? null,
          },
          empty: !rows.success,
        }
      }),
    ),
  needs: ({ slug, limit }) => [reviewsNeed(slug, limit), aggregateNeed(slug)],
  samples: [{ slug: 'boutique-2', limit: 10 }],
}

/** Reviews are few and small, so the list document's facts contain them. */
function reviewsNeed(slug: string, limit: number): Need {
  return {
    key: `reviews:${slug}`,
    personal: false,
    freshMs: FRESH_MS,
    isIncomplete: (known) => known.next !== null && known.ids.length < limit,
    async fetch({ http }, { known, stale }) {
      const next = stale ? null : (known?.next ?? null)
      const before = v.safeParse(v.array(review), known?.facts)
      const ask = next === null ? { query: { seller: slug }, etag: known?.etag ?? null } : { next }
      const reply: CallResult<Page<Review>> = await http.call(listReviews, ask, (body) =>
        page(body, readReview),
      )
      if (reply.kind !== 'done') return reply
      const rows = [...(next !== null && before.success ? before.output : []), ...reply.answer.rows]
      const unique = [...new Map(rows.map((row) => [row.id, row])).values()]
      return {
        ...reply,
        answer: {
          ids: unique.map(({ id }) => id),
          facts: unique,
          next: reply.answer.next,
          ...(next === null && { count: reply.answer.count }),
        },
      }
    },
  }
}

/** Personal, because it includes what the user may do. */
function aggregateNeed(slug: string): Need {
  return {
    key: `aggregate:${slug}`,
    personal: true,
    freshMs: FRESH_MS,
    async fetch({ http }, { known }) {
      const reply = await http.call(readAggregate, {
        params: { id: slug },
        etag: known?.etag ?? null,
      })
      return reply.kind === 'done' ? { ...reply, answer: { facts: reply.answer } } : reply
    },
  }
}

function readReview(body: unknown): Review | null {
  const object = members(body)
  const id = idOf(object['id'])
  const rating = amount(object['rating'])
  const reviewer = seller(object['reviewer'])
  if (id === null || rating === null || reviewer.id === '') return null
  const created = moment(object['created_at']) ?? '1970-01-01T00:00:00.000Z'
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
