import { distinctUntilChanged, map, of, switchMap } from 'rxjs'
import type { Filters } from '#schema/port/question'
import { readShop } from '#schema/shopDocument'
import { readShop as readShopCall, shopListings } from '#schema/wire/shop'
import type { Need, QuestionRules } from '../../noun.ts'
import { fetching, FRESH_MS, keyOf, listQuestion } from '../listing/list.ts'
import { deepEqual, flag, members } from '../tolerant.ts'

function shopNeed(slug: string): Need {
  return {
    key: `shop:${slug}`,
    personal: true,
    freshMs: 5 * FRESH_MS,
    async fetch({ http, store, now }, { known }) {
      const id = known?.ids[0]
      const stored = id === undefined ? null : await store.shops.findOne(id).exec()
      const reply = await http.call(
        readShopCall,
        { params: { id: slug }, etag: stored && (known?.etag ?? null) },
        (body) => {
          const shop = readShop(body, now())
          return shop && { shop, isFollowing: flag(members(body)['is_following']) }
        },
      )
      if (reply.kind === 'refused' && reply.status === 404 && id !== undefined)
        await store.shops.remove([id])
      if (reply.kind !== 'done') return reply
      const { shop, isFollowing } = reply.answer
      await store.shops.put([shop])
      return { ...reply, answer: { ids: [shop.id], facts: { is_following: isFollowing } } }
    },
  }
}

/** From a URL: only known values are sent. */
function queryOf(filters: Filters): Filters {
  return Object.fromEntries(
    Object.entries(filters).filter(
      ([name, value]) => name !== 'status' || value === 'active' || value === 'sold',
    ),
  )
}

export const questions = {
  'shop.detail': {
    watch: ({ slug }, { store, currentUser }) =>
      store.ownLists.findOne(shopNeed(slug).key).$.pipe(
        distinctUntilChanged(deepEqual),
        switchMap((known) =>
          store.shops.findOne(known?.ids[0] ?? slug).$.pipe(
            map((shop) => ({
              rows: shop ? [shop] : [],
              facts: {
                problem: known?.problem ?? null,
                isMe: shop?.id === currentUser().me,
                isFollowing: flag(members(known?.facts)['is_following']) ?? false,
              },
            })),
          ),
        ),
      ),
    needs: ({ slug }) => [shopNeed(slug)],
  },
  'shop.listings': listQuestion(({ slug, filters, limit, from }) => ({
    key: `shop:${slug}:${keyOf(filters)}`,
    limit,
    freshMs: FRESH_MS,
    from,
    // Sold listings are rarely stored locally: only the server lists them.
    localQuery: of(filters['status'] === 'sold' ? null : { ...filters, seller: slug }),
    fetch: fetching(shopListings, { params: { id: slug }, query: queryOf(filters) }),
  })),
} satisfies QuestionRules
