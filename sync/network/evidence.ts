import type { NetworkFacts } from '#schema/port/question'

export type NetworkState = NetworkFacts['network']

export type NetworkObservation =
  /**
   * An answer after `ms`; `eventsBefore` is the number of browser events before the request. `server`:
   * works: our JSON · fails: an error of the server or a proxy.
   */
  | {
      readonly kind: 'answered'
      readonly eventsBefore: number
      readonly ms: number
      readonly server?: 'works' | 'fails' | undefined
    }
  /** The connection failed at once. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'silent' }
  /** A captive portal or a provider's page answered. */
  | { readonly kind: 'captive' }
  /** The `at`-th online/offline event of the browser. Offline is trusted, online is only a hint. */
  | { readonly kind: 'browser'; readonly online: boolean; readonly at: number }

export interface Evidence {
  readonly network: NetworkState
  /** Consecutive failures without an answer of our server. */
  readonly misses: number
  /**
   * Number of the event that reported offline: answers to earlier requests prove nothing. A
   * counter, because a clock may be set back.
   */
  readonly offlineEvent: number
}

export const SLOW_MS = 4000
const MISSES_UNTIL_OFFLINE = 2

export const unknownYet: Evidence = {
  network: 'online',
  misses: 0,
  offlineEvent: Number.NEGATIVE_INFINITY,
}

/** Derives the network state from observations [SYNC 8]. */
export function weigh(evidence: Evidence, observation: NetworkObservation): Evidence {
  switch (observation.kind) {
    case 'answered':
      return observation.eventsBefore < evidence.offlineEvent
        ? evidence
        : { ...evidence, network: observation.ms < SLOW_MS ? 'online' : 'weak', misses: 0 }
    case 'captive':
      return { ...evidence, network: 'captive', misses: 0 }
    case 'browser':
      return observation.online
        ? { ...evidence, offlineEvent: unknownYet.offlineEvent }
        : { network: 'offline', misses: MISSES_UNTIL_OFFLINE, offlineEvent: observation.at }
    case 'failed':
    case 'silent': {
      const misses = evidence.misses + 1
      if (misses >= MISSES_UNTIL_OFFLINE) return { ...evidence, network: 'offline', misses }
      return {
        ...evidence,
        network:
          evidence.network === 'online' && observation.kind === 'silent'
            ? 'weak'
            : evidence.network,
        misses,
      }
    }
  }
}

export function usable(network: NetworkState): boolean {
  return network === 'online' || network === 'weak'
}

/** The network may be down: probe our server. */
export function doubtful(evidence: Evidence): boolean {
  return !usable(evidence.network) || evidence.misses > 0
}
