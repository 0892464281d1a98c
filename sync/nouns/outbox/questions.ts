import { combineLatest, distinctUntilChanged, map } from 'rxjs'
import { countsOf } from '#schema/disk/entry'
import type { QuestionRules } from '../../noun.ts'
import { withReasons } from './why.ts'

export const questions = {
  /** Without views and measurements. */
  'outbox.entries': {
    watch: (_, { outbox, unreadableEntries, network: facts }) =>
      combineLatest([
        outbox,
        unreadableEntries,
        facts.pipe(
          map(({ network }) => network),
          distinctUntilChanged(),
        ),
      ]).pipe(
        map(([all, unread, network]) => {
          const rows = withReasons(
            all.filter((entry) => !entry.low && entry.state !== 'acknowledged'),
            network,
          )
          return { rows, facts: { ...countsOf(rows), unread } }
        }),
      ),
    needs: () => [],
  },
  'network.state': {
    watch: (_, { network }) => network.pipe(map((facts) => ({ rows: [], facts }))),
    needs: () => [],
  },
  'draft.text': {
    watch: ({ key }, { texts }) =>
      texts.pipe(map((all) => ({ rows: [], facts: { content: all.get(key) ?? '' } }))),
    needs: () => [],
  },
} satisfies QuestionRules
