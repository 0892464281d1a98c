import { map } from 'rxjs'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { followStatus, listFollowing } from '#schema/wire/follow'
import { sellerMini } from '#schema/wire/shapes'
import type { Need, QuestionRule, QuestionRules } from '../../noun.ts'
import { factsNeed, rowsInFacts } from '../needs.ts'
import { amount, flag, members, page, seller } from '../tolerant.ts'
import { followFacts, followKey } from './commands.ts'

const FRESH_MS = 5 * 60_000

const status: QuestionRule<'seller.follow'> = {
  watch: ({ id }, { store }) =>
    store.ownLists
      .findOne(followKey(id))
      .$.pipe(map((list) => ({ rows: [], facts: followFacts(list), noDataYet: list === null }))),
  needs: ({ id }, { currentUser }) =>
    currentUser().me === '' || currentUser().me === id ? [] : [followNeed(id)],
  samples: [{ id: 'U2' }],
}

function followNeed(id: string): Need {
  return factsNeed(
    { key: followKey(id), personal: true, freshMs: FRESH_MS },
    followStatus,
    { params: { id } },
    (body) => {
      const following = flag(members(body)['following'] ?? members(body)['is_following'])
      return following === null
        ? null
        : { following, followers: amount(members(body)['followers_count']) }
    },
  )
}

const followingNeed = factsNeed(
  { key: 'following', personal: true, freshMs: FRESH_MS },
  listFollowing,
  { query: { page_size: PAGE_SIZE_MAX } },
  (body) => page(body, seller)?.rows ?? null,
)

export const questions = {
  'seller.follow': status,
  'account.following': rowsInFacts(followingNeed, sellerMini),
} satisfies QuestionRules
