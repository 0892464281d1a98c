import { map } from 'rxjs'
import { PAGE_SIZE_MAX } from '#schema/limits'
import { followStatus, listFollowing } from '#schema/wire/follow'
import { sellerMini } from '#schema/wire/shapes'
import type { QuestionRules } from '../../noun.ts'
import { factsNeed, rowsInFacts } from '../needs.ts'
import { page, seller } from '../tolerant.ts'
import { followFacts, followKey, readFollowed } from './commands.ts'

export const questions = {
  'seller.follow': {
    watch: ({ id }, { store }) =>
      store.ownLists
        .findOne(followKey(id))
        .$.pipe(map((list) => ({ rows: [], facts: followFacts(list), noDataYet: list === null }))),
    needs: ({ id }, { currentUser }) =>
      currentUser().me === '' || currentUser().me === id
        ? []
        : [factsNeed(followKey(id), followStatus, { params: { id } }, readFollowed)],
  },
  'account.following': rowsInFacts(
    sellerMini,
    factsNeed(
      'following',
      listFollowing,
      { query: { page_size: PAGE_SIZE_MAX } },
      (body) => page(body, seller)?.rows ?? null,
    ),
  ),
} satisfies QuestionRules
