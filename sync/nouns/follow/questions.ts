import { map } from 'rxjs'
import * as v from 'valibot'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { followStatus, listFollowing } from '#schema/wire/follow'
import { sellerMini } from '#schema/wire/shapes'
import type { Need, QuestionRule, QuestionRules } from '../../noun.ts'
import { amount, flag, members, page, seller } from '../tolerant.ts'

const FRESH_MS = 5 * 60_000

const status: QuestionRule<'seller.follow'> = {
  watch: ({ id }, { store }) =>
    store.observeOne('ownLists', followNeed(id).key).pipe(
      map((book) => {
        const said = members(book?.facts)
        return {
          rows: [],
          facts: {
            following: flag(said['following']) ?? false,
            followers: amount(said['followers']),
          },
          empty: book === null,
        }
      }),
    ),
  needs: ({ id }, { currentUser }) =>
    currentUser().me === '' || currentUser().me === id ? [] : [followNeed(id)],
  samples: [{ id: 'U2' }],
}

/** Its facts: `following`, `followers`. */
function followNeed(id: string): Need {
  return {
    key: `follow:${id}`,
    personal: true,
    freshMs: FRESH_MS,
    async fetch({ http }, { known }) {
      const reply = await http.call(
        followStatus,
        { params: { id }, etag: known?.etag ?? null },
        (body) => {
          const following = flag(members(body)['following'] ?? members(body)['is_following'])
          return following === null
            ? null
            : { facts: { following, followers: amount(members(body)['followers_count']) } }
        },
      )
      return reply
    },
  }
}

const following: QuestionRule<'account.following'> = {
  watch: (_, { store }) =>
    store.observeOne('ownLists', followingNeed.key).pipe(
      map((book) => v.safeParse(v.array(sellerMini), book?.facts)),
      map((said) => ({ rows: said.success ? said.output : [], facts: {}, empty: !said.success })),
    ),
  needs: (_, { currentUser }) => (currentUser().me === '' ? [] : [followingNeed]),
  samples: [{}],
}

/** Its facts are the followed users. */
const followingNeed: Need = {
  key: 'following',
  personal: true,
  freshMs: FRESH_MS,
  async fetch({ http }, { known }) {
    const reply = await http.call(
      listFollowing,
      { query: { page_size: PAGE_SIZE_MAX }, etag: known?.etag ?? null },
      (body) => page(body, seller),
    )
    return reply.kind === 'done' ? { ...reply, answer: { facts: reply.answer.rows } } : reply
  },
}

export const questions = {
  'seller.follow': status,
  'account.following': following,
} satisfies QuestionRules
