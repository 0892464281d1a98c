import * as v from 'valibot'
import { readListing } from '#schema/listingDocument'
import { firstKey } from '#schema/questionKey'
import { readShop } from '#schema/shopDocument'
import { listingDetail } from '#schema/wire/listing'
import { shop } from '#schema/wire/shop'
import { pageOfCards } from './head.ts'

/** A question of the app that a page answers (schema/port/question.ts). */
export type Asked = Readonly<
  | { name: 'listings.recommended'; params: { type: 'recent' } }
  | { name: 'listings.browse'; params: { filters: object } }
  | { name: 'shop.listings'; params: { slug: string; filters: object } }
  | { name: 'shop.detail'; params: { slug: string } }
  | { name: 'listing.detail'; params: { id: string } }
>

interface FirstAnswer {
  readonly rows: readonly object[]
  readonly facts: object
}

export type FirstAnswers = Readonly<Record<string, FirstAnswer>>

export function firstAnswers(
  bodies: readonly (readonly [asked: Asked, body: unknown])[],
): FirstAnswers {
  return Object.fromEntries(
    bodies.flatMap(([asked, body]) => {
      const answer = answerOf(asked, body)
      return answer ? [[firstKey(asked), answer]] : []
    }),
  )
}

/** Without what belongs to one account. Time 0: the app knows when it received them. */
function answerOf({ name }: Asked, body: unknown): FirstAnswer | null {
  switch (name) {
    case 'listing.detail': {
      const row = v.is(listingDetail, body) && readListing(body, 0)
      const facts = { problem: null, isOwner: false, conversation: null }
      return row ? { rows: [row], facts } : null
    }
    case 'shop.detail': {
      const row = v.is(shop, body) && readShop(body, 0)
      return row ? { rows: [row], facts: { problem: null, isMe: false } } : null
    }
    default: {
      if (!v.is(pageOfCards, body)) return null
      const { results, count = null, count_is_exact: countIsExact = true, next = null } = body
      const facts = {
        count,
        ...(!countIsExact && { countIsExact }),
        coverage: 'covered',
        covered: results.length,
        more: next !== null,
        waiting: 0,
        problem: null,
      }
      return { rows: results.flatMap((card) => readListing(card, 0) ?? []), facts }
    }
  }
}
