import { combineLatest, distinctUntilChanged, map } from 'rxjs'
import { countsOf, type Entry } from '#schema/disk/entry'
import type { NetworkFacts, QuestionRules } from '../../noun.ts'

/** The last failure, else the current obstacle. `entries` in the order of writing. */
export function withReasons(entries: readonly Entry[], network: NetworkFacts['network']) {
  const begun = new Set<string>()
  return entries.map((entry) => {
    const behind = begun.has(entry.lane)
    if (entry.state === 'waiting' || entry.state === 'sending') begun.add(entry.lane)
    if (entry.state !== 'waiting') return entry
    const why = reason(entry, network, behind)
    return why === entry.why ? entry : { ...entry, why }
  })
}

function reason(entry: Entry, network: NetworkFacts['network'], behind: boolean) {
  if (network === 'offline' || network === 'captive') return network
  if (behind) return 'behind'
  if (entry.wifiOnly) return 'wifi'
  if (entry.why === 'offline' || entry.why === 'captive') return network === 'weak' ? 'weak' : null
  return entry.why
}

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
