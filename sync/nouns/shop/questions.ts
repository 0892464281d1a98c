import { distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { readShop } from '#schema/shopDocument'
import { readShop as readShopCall, shopListings } from '#schema/wire/shop'
import type { Filters, Need, QuestionRules } from '../../noun.ts'
import { fetching, FRESH_MS, keyOf, listQuestion } from '../listing/list.ts'
import { mapAnswer, observeList } from '../needs.ts'
import { deepEqual } from '../tolerant.ts'

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
        { params: { id: slug }, etag: stored && known?.etag },
        (body) => readShop(body, now()),
      )
      if (reply.kind === 'refused' && reply.status === 404 && id !== undefined)
        await store.shops.remove([id])
      return mapAnswer(reply, async (shop) => {
        await store.shops.put([shop])
        return { ids: [shop.id] }
      })
    },
  }
}

/** From a URL: only known values are sent. */
function queryOf({ status, ...others }: Filters) {
  return status === 'active' || status === 'sold' ? { ...others, status } : others
}

export const questions = {
  'shop.detail': {
    watch: ({ slug }, { store, currentUser }) =>
      observeList(store, shopNeed(slug)).pipe(
        distinctUntilChanged(deepEqual),
        switchMap((known) =>
          store.shops.findOne(known?.ids[0] ?? slug).$.pipe(
            map((shop) => ({
              rows: shop ? [shop] : [],
              facts: {
                problem: known?.problem ?? null,
                isMe: shop?.id === currentUser().me,
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
