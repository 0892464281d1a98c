import { map } from 'rxjs'
import { followStatus } from '#schema/wire/follow'
import type { QuestionRules } from '../../noun.ts'
import { factsNeed } from '../needs.ts'
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
} satisfies QuestionRules
