import { combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs'
import type { ShopDocument } from '#schema/disk/documents'
import type { Filters } from '#schema/port/question'
import { readShop as readShopCall, shopListings } from '#schema/wire/shop'
import type { Need, QuestionRule, QuestionRules } from '../../noun.ts'
import { FRESH_MS, keyOf, listNeed, watchList, type ListQuery } from '../listing/list.ts'
import { amount, flag, members, moment, seller, text } from '../tolerant.ts'

const detail: QuestionRule<'shop.detail'> = {
  watch: ({ slug }, { store, currentUser }) =>
    store.observeOne('ownLists', shopNeed(slug).key).pipe(
      distinctUntilChanged((a, b) => JSON.stringify(a) === JSON.stringify(b)),
      switchMap((book) =>
        combineLatest([
          store.observeOne('shops', book?.ids[0] ?? slug),
          of(members(book?.facts)),
        ]).pipe(
          map(([shop, mine]) => ({
            rows: shop === null ? [] : [shop],
            facts: {
              problem: book?.problem ?? null,
              isMe: shop !== null && shop.id === currentUser().me,
              isFollowing: flag(mine['is_following']) ?? false,
            },
            empty: shop === null,
          })),
        ),
      ),
    ),
  needs: ({ slug }) => [shopNeed(slug)],
  samples: [{ slug: 'boutique-2' }],
}

/** The shop is stored in the shared collection, the follow status in `ownLists`. */
function shopNeed(slug: string): Need {
  return {
    key: `shop:${slug}`,
    personal: true,
    freshMs: 5 * FRESH_MS,
    async fetch({ http, store, now }, { known }) {
      const here = known?.ids[0] === undefined ? null : await store.one('shops', known.ids[0])
      const reply = await http.call(
        readShopCall,
        { params: { id: slug }, etag: here === null ? null : (known?.etag ?? null) },
        (body) => {
          const shop = readShop(body, now())
          return (
            shop && {
              shop,
              facts: {
                is_following: flag(members(body)['is_following']),
                is_blocked: flag(members(body)['is_blocked']),
              },
            }
          )
        },
      )
      if (reply.kind === 'refused' && reply.status === 404 && known?.ids[0] !== undefined)
        await store.remove('shops', [known.ids[0]])
      if (reply.kind !== 'done') return reply
      await store.put('shops', [reply.answer.shop])
      return { ...reply, answer: { ids: [reply.answer.shop.id], facts: reply.answer.facts } }
    },
  }
}

function readShop(body: unknown, now: number): ShopDocument | null {
  const object = members(body)
  const person = seller(object)
  if (person.id === '') return null
  const rating = members(object['rating'])
  return {
    ...person,
    bio: text(object['bio']) ?? '',
    followers_count: amount(object['followers_count']) ?? 0,
    following_count: amount(object['following_count']) ?? 0,
    items_sold: amount(object['items_sold']) ?? 0,
    years_on_platform: amount(object['years_on_platform']) ?? 0,
    date_joined: moment(object['date_joined']) ?? new Date(now).toISOString(),
    typical_response_hours: amount(object['typical_response_hours']),
    listings_count: amount(object['listings_count']) ?? 0,
    rating: {
      average: typeof rating['average'] === 'number' ? rating['average'] : null,
      count: amount(rating['count']) ?? 0,
    },
    storedAt: now - (now % STORED_STEP_MS),
  }
}

const STORED_STEP_MS = 6 * 3_600_000

const listings: QuestionRule<'shop.listings'> = {
  watch: (params, tools) => watchList(wishOf(params), tools),
  needs: (params) => [
    listNeed(wishOf(params), FRESH_MS, ({ http }, how, read) =>
      http.call(
        shopListings,
        { params: { id: params.slug }, query: queryOf(params.filters), ...how },
        read,
      ),
    ),
  ],
  samples: [{ slug: 'boutique-2', filters: {}, limit: 20 }],
}

interface Shown {
  readonly slug: string
  readonly filters: Filters
  readonly limit: number
  readonly from?: number | undefined
}

/** Sold listings are rarely stored locally: only the server lists them. */
function wishOf({ slug, filters, limit, from }: Shown): ListQuery {
  const phone = filters['status'] === 'sold' ? null : { ...filters, seller: slug }
  return { key: `shop:${slug}:${keyOf(filters)}`, personal: false, limit, from, phone: of(phone) }
}

/** The filters come from a URL: only known values of `status` are sent. */
function queryOf(filters: Filters): Filters {
  return Object.fromEntries(
    Object.entries(filters).filter(
      ([name, value]) => name !== 'status' || value === 'active' || value === 'sold',
    ),
  )
}

export const questions = {
  'shop.detail': detail,
  'shop.listings': listings,
} satisfies QuestionRules
