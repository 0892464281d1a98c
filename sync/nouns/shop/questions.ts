import { distinctUntilChanged, map, of, switchMap } from 'rxjs'
import type { Filters, Params } from '#schema/port/question'
import { readShop } from '#schema/shopDocument'
import { readShop as readShopCall, shopListings } from '#schema/wire/shop'
import type { Need, QuestionRule, QuestionRules } from '../../noun.ts'
import { FRESH_MS, keyOf, listQuestion, type ListQuery } from '../listing/list.ts'
import { deepEqual, flag, members } from '../tolerant.ts'

const detail: QuestionRule<'shop.detail'> = {
  watch: ({ slug }, { store, currentUser }) =>
    store.ownLists.findOne(shopNeed(slug).key).$.pipe(
      distinctUntilChanged(deepEqual),
      switchMap((known) =>
        store.shops.findOne(known?.ids[0] ?? slug).$.pipe(
          map((shop) => ({
            rows: shop === null ? [] : [shop],
            facts: {
              problem: known?.problem ?? null,
              isMe: shop !== null && shop.id === currentUser().me,
              isFollowing: flag(members(known?.facts)['is_following']) ?? false,
            },
            noDataYet: shop === null,
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
      const stored =
        known?.ids[0] === undefined ? null : await store.shops.findOne(known.ids[0]).exec()
      const reply = await http.call(
        readShopCall,
        { params: { id: slug }, etag: stored === null ? null : (known?.etag ?? null) },
        (body) => {
          const shop = readShop(body, now())
          const { is_following, is_blocked } = members(body)
          return (
            shop && {
              shop,
              facts: { is_following: flag(is_following), is_blocked: flag(is_blocked) },
            }
          )
        },
      )
      if (reply.kind === 'refused' && reply.status === 404 && known?.ids[0] !== undefined)
        await store.shops.remove([known.ids[0]])
      if (reply.kind !== 'done') return reply
      await store.shops.put([reply.answer.shop])
      return { ...reply, answer: { ids: [reply.answer.shop.id], facts: reply.answer.facts } }
    },
  }
}

const listings = listQuestion<Params<'shop.listings'>>({
  list: listOf,
  freshMs: FRESH_MS,
  fetch: ({ slug, filters }, { http }, pageOrEtag, parse) =>
    http.call(
      shopListings,
      { params: { id: slug }, query: queryOf(filters), ...pageOrEtag },
      parse,
    ),
  samples: [{ slug: 'boutique-2', filters: {}, limit: 20 }],
})

/** Sold listings are rarely stored locally: only the server lists them. */
function listOf({ slug, filters, limit, from }: Params<'shop.listings'>): ListQuery {
  const query = filters['status'] === 'sold' ? null : { ...filters, seller: slug }
  return {
    key: `shop:${slug}:${keyOf(filters)}`,
    personal: false,
    limit,
    from,
    localQuery: of(query),
  }
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
