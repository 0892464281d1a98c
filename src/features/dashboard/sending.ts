import { useLiveQuery } from '../../data/read.ts'
import type { Entry } from '#schema/disk/entry'

/** What of an own listing the server does not know yet, or did not take. */
export interface Sending {
  readonly waits: boolean
  /** Parked: nothing becomes of it before its owner says what. */
  readonly refused: Entry | undefined
}

/** Everything in the outbox that is about a listing, by its id (a draft's, while it is unsent). */
export function useSending(): (listing: string) => Sending {
  const { rows } = useLiveQuery('outbox.entries', {})
  const about = Map.groupBy(
    rows.filter(({ name, state }) => name.startsWith('listing.') && state !== 'acknowledged'),
    ({ name, payload }) => (name === 'listing.publish' ? payload['draft'] : payload['listing']),
  )
  return (listing) => {
    const entries = about.get(listing) ?? []
    return { waits: entries.some(({ state }) => state !== 'refused'), refused: entries.find(({ state, why }) => state === 'refused' && why !== 'behind') }
  }
}
