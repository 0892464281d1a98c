import type { NetworkFacts } from '#schema/port/question'

export type NetworkState = NetworkFacts['network']

/** What was seen of the network. */
export type NetworkObservation =
  /** Our server answered what it was asked after so many words of the browser, within so many ms. `server`: our own JSON came, or an error of the server or of a proxy before it; absent: neither. */
  | {
      readonly kind: 'answered'
      readonly asked: number
      readonly ms: number
      readonly server?: 'works' | 'fails' | undefined
    }
  /** The connection failed at once. */
  | { readonly kind: 'failed' }
  /** No answer in time. */
  | { readonly kind: 'silent' }
  /** Somebody else answered: a portal, a provider's page. */
  | { readonly kind: 'captive' }
  /** The browser's word, the so-manieth: believed for "no", a hint for "yes". */
  | { readonly kind: 'browser'; readonly online: boolean; readonly at: number }

export interface Evidence {
  readonly network: NetworkState
  /** In a row, without a word of our server. */
  readonly misses: number
  /** With which word the browser said no: an answer to what was asked before it may have lain on the phone, and proves nothing of now. Words are counted, since a clock that is set back would hide what is answered after it. */
  readonly denied: number
}

export const SLOW_MS = 4000
const MISSES_UNTIL_OFFLINE = 2

export const unknownYet: Evidence = {
  network: 'online',
  misses: 0,
  denied: Number.NEGATIVE_INFINITY,
}

/** Offline is evidence, not a flag [SYNC 8]. */
export function weigh(evidence: Evidence, sign: NetworkObservation): Evidence {
  switch (sign.kind) {
    case 'answered':
      return sign.asked < evidence.denied
        ? evidence
        : { ...evidence, network: sign.ms < SLOW_MS ? 'online' : 'weak', misses: 0 }
    case 'captive':
      return { ...evidence, network: 'captive', misses: 0 }
    case 'browser':
      return sign.online
        ? { ...evidence, denied: unknownYet.denied }
        : { network: 'offline', misses: MISSES_UNTIL_OFFLINE, denied: sign.at }
    case 'failed':
    case 'silent': {
      const misses = evidence.misses + 1
      if (misses >= MISSES_UNTIL_OFFLINE) return { ...evidence, network: 'offline', misses }
      return {
        ...evidence,
        network:
          evidence.network === 'online' && sign.kind === 'silent' ? 'weak' : evidence.network,
        misses,
      }
    }
  }
}

export function usable(network: NetworkState): boolean {
  return network === 'online' || network === 'weak'
}

/** Something is not as it should be: our server must be asked for a sign. */
export function doubtful(evidence: Evidence): boolean {
  return !usable(evidence.network) || evidence.misses > 0
}
