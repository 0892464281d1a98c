import type { NetworkFacts } from '#schema/port/question'
import type { Outside } from '../outside.ts'
import { Timer } from '../within.ts'
import { reconnectIn } from './backoff.ts'

export type NetworkObservation = Readonly<
  /** `works`: our server. */
  | { kind: 'answered'; ms: number; works?: boolean }
  /** failed: at once · captive: another server answered. */
  | { kind: 'failed' | 'silent' | 'captive' }
  /** Offline is trusted, online is only a hint. */
  | { kind: 'browser'; online: boolean }
>

export interface Evidence {
  readonly network: NetworkFacts['network']
  readonly misses: number
}

export const SLOW_MS = 4000
const MISSES_UNTIL_OFFLINE = 2

export const unknownYet: Evidence = { network: 'online', misses: 0 }

/** [SYNC 8] */
export function weigh(evidence: Evidence, observation: NetworkObservation): Evidence {
  switch (observation.kind) {
    case 'answered':
      return { network: observation.ms < SLOW_MS ? 'online' : 'weak', misses: 0 }
    case 'captive':
      return { network: 'captive', misses: 0 }
    case 'browser':
      return observation.online ? evidence : { network: 'offline', misses: MISSES_UNTIL_OFFLINE }
    case 'failed':
    case 'silent': {
      const misses = evidence.misses + 1
      if (misses >= MISSES_UNTIL_OFFLINE) return { network: 'offline', misses }
      const isSlow = evidence.network === 'online' && observation.kind === 'silent'
      return { network: isSlow ? 'weak' : evidence.network, misses }
    }
  }
}

function isUsable({ network }: Evidence) {
  return network === 'online' || network === 'weak'
}

function isDoubtful(evidence: Evidence) {
  return !isUsable(evidence) || evidence.misses > 0
}

export interface WatchCallbacks {
  probe(): Promise<unknown>
  changed(network: Evidence['network']): void
  online(): void
  serverAnswered(): void
}

export function watchNetwork(
  outside: Pick<Outside, 'setTimer' | 'random'>,
  callbacks: WatchCallbacks,
) {
  const timer = new Timer(outside)
  let evidence = unknownYet
  /** While the browser says that it is offline. */
  let offline: symbol | null = null
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

  function observe(observation: NetworkObservation) {
    const before = evidence
    evidence = weigh(before, observation)
    const { kind } = observation
    if (kind === 'answered' && !isDoubtful(evidence)) attempt = 0
    if (before.network !== evidence.network) callbacks.changed(evidence.network)
    if (isDoubtful(before) && !isDoubtful(evidence)) callbacks.online()
    if (kind === 'answered' && observation.works) callbacks.serverAnswered()
    if (kind === 'browser' && observation.online && isDoubtful(before)) probeNow()
    else if (isDoubtful(evidence)) probeLater()
    else timer.stop()
  }

  return {
    get usable() {
      return isUsable(evidence)
    },
    /** Before a request. The returned function takes what it showed. */
    begin() {
      const before = offline
      return (observation: NetworkObservation) => {
        // A request from before the browser went offline proves no network.
        if (observation.kind !== 'answered' || offline === null || offline === before)
          observe(observation)
        else if (observation.works) callbacks.serverAnswered()
      }
    },
    browser(online: boolean) {
      offline = online ? null : Symbol()
      observe({ kind: 'browser', online })
    },
    /** A hidden app does not probe, to save data. */
    awake(awake: boolean) {
      isAwake = awake
      if (!awake) timer.stop()
      else if (isDoubtful(evidence)) probeNow()
    },
  }
}
