import type { NetworkFacts } from '#schema/port/question'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import { reconnectIn } from './backoff.ts'

export type NetworkObservation =
  /** `eventsBefore`: browser events before the request. `works`: our server does. */
  | {
      readonly kind: 'answered'
      readonly eventsBefore: number
      readonly ms: number
      readonly works?: boolean
    }
  /** failed: at once · captive: another server answered. */
  | { readonly kind: 'failed' | 'silent' | 'captive' }
  /** The browser's `at`-th event. Offline is trusted, online is only a hint. */
  | { readonly kind: 'browser'; readonly online: boolean; readonly at: number }

export interface Evidence {
  readonly network: NetworkFacts['network']
  /** Consecutive failures without an answer of our server. */
  readonly misses: number
  /**
   * Answers to requests before this event prove nothing. A number, because a clock may be set back.
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

/** Derives the network state [SYNC 8]. */
export function weigh(evidence: Evidence, observation: NetworkObservation): Evidence {
  switch (observation.kind) {
    case 'answered':
      if (observation.eventsBefore < evidence.offlineEvent) return evidence
      return { ...evidence, network: observation.ms < SLOW_MS ? 'online' : 'weak', misses: 0 }
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
      const isSlow = evidence.network === 'online' && observation.kind === 'silent'
      return { ...evidence, network: isSlow ? 'weak' : evidence.network, misses }
    }
  }
}

function isUsable({ network }: Evidence) {
  return network === 'online' || network === 'weak'
}

/** The network may be down: probe our server. */
function isDoubtful(evidence: Evidence) {
  return !isUsable(evidence) || evidence.misses > 0
}

export interface WatchCallbacks {
  probe(): Promise<unknown>
  changed(network: Evidence['network']): void
  /** After it was doubtful. */
  online(): void
  serverAnswered(): void
}

/** Probes while the network is doubtful and the app is visible. */
export function watchNetwork(outside: Outside, callbacks: WatchCallbacks) {
  const timer = new Timer(outside)
  let evidence = unknownYet
  let browserEvents = 0
  let attempt = 0
  let isAwake = true
  let isProbing = false

  function probeIn(ms: number) {
    if (isAwake) timer.start(ms, () => void probe())
  }

  function probeLater() {
    if (!timer.isRunning) probeIn(reconnectIn(attempt, outside.random()))
  }

  function probeNow() {
    attempt = 0
    probeIn(0)
  }

  async function probe() {
    if (isProbing) return
    isProbing = true
    attempt += 1
    try {
      await callbacks.probe()
    } finally {
      isProbing = false
      if (isDoubtful(evidence)) probeLater()
    }
  }

  return {
    get usable() {
      return isUsable(evidence)
    },
    get browserEvents() {
      return browserEvents
    },
    observe(observation: NetworkObservation) {
      const before = evidence
      evidence = weigh(before, observation)
      const { kind } = observation
      if (kind === 'browser') browserEvents = observation.at
      if (kind === 'answered' && !isDoubtful(evidence)) attempt = 0
      if (before.network !== evidence.network) callbacks.changed(evidence.network)
      if (isDoubtful(before) && !isDoubtful(evidence)) callbacks.online()
      if (kind === 'answered' && observation.works) callbacks.serverAnswered()
      if (kind === 'browser' && observation.online && isDoubtful(before)) probeNow()
      else if (isDoubtful(evidence)) probeLater()
      else timer.stop()
    },
    /** A hidden app does not probe, to save data. */
    awake(awake: boolean) {
      isAwake = awake
      if (!awake) timer.stop()
      else if (isDoubtful(evidence)) probeNow()
    },
    close() {
      isAwake = false
      timer.stop()
    },
  }
}
