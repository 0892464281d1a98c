import { combineLatest, distinctUntilChanged, map } from 'rxjs'
import type { EntryState } from '#schema/disk/entry'
import type { QuestionRule, QuestionRules } from '../../noun.ts'
import { withReasons } from './why.ts'

/** Without views and measurements. */
const entries: QuestionRule<'outbox.entries'> = {
  watch: (_, { outbox, unreadableEntries, network: facts }) =>
    combineLatest([
      outbox,
      unreadableEntries,
      facts.pipe(
        map(({ network: state }) => state),
        distinctUntilChanged(),
      ),
    ]).pipe(
      map(([all, unread, state]) => {
        const rows = withReasons(
          all.filter((entry) => !entry.low && entry.state !== 'acknowledged'),
          state,
        )
        const count = (state: EntryState) => rows.filter((entry) => entry.state === state).length
        return {
          rows,
          facts: {
            waiting: count('waiting'),
            sending: count('sending'),
            refused: count('refused'),
            signedOut: count('signed-out'),
            unread,
          },
        }
      }),
    ),
  needs: () => [],
  samples: [{}],
}

const network: QuestionRule<'network.state'> = {
  watch: (_, { network: state }) => state.pipe(map((facts) => ({ rows: [], facts }))),
  needs: () => [],
  samples: [{}],
}

const draft: QuestionRule<'draft.text'> = {
  watch: ({ key }, { texts }) =>
    texts.pipe(map((all) => ({ rows: [], facts: { content: all.get(key) ?? '' } }))),
  needs: () => [],
  samples: [{ key: 'message:C1' }],
}

export const questions = {
  'outbox.entries': entries,
  'network.state': network,
  'draft.text': draft,
} satisfies QuestionRules
