import { RETRY_MAX_MS } from '#schema/limits'
import { expect, test } from 'vitest'
import { reconnectIn, retryIn } from './backoff.ts'
import {
  type Evidence,
  type NetworkObservation,
  SLOW_MS,
  unknownYet,
  watchNetwork,
  weigh,
} from './watch.ts'

function after(...signs: readonly NetworkObservation[]): Evidence['network'] {
  return signs.reduce<Evidence>(weigh, unknownYet).network
}

const good: NetworkObservation = { kind: 'answered', ms: 100 }

test.each<[Evidence['network'], readonly NetworkObservation[]]>([
  ['online', [good]],
  ['weak', [{ kind: 'answered', ms: SLOW_MS }]],
  ['online', [{ kind: 'failed' }]],
  ['weak', [{ kind: 'silent' }]],
  ['offline', [{ kind: 'failed' }, { kind: 'failed' }]],
  ['offline', [{ kind: 'silent' }, { kind: 'failed' }]],
  ['online', [{ kind: 'failed' }, good, { kind: 'failed' }]],
  ['captive', [{ kind: 'captive' }]],
  ['online', [{ kind: 'captive' }, good]],
  ['offline', [{ kind: 'browser', online: false }]],
  [
    'offline',
    [
      { kind: 'browser', online: false },
      { kind: 'browser', online: true },
    ],
  ],
  ['online', [{ kind: 'browser', online: false }, good]],
])('[F14] [S4.23] %s after %j', (network, signs) => {
  expect(after(...signs)).toBe(network)
})

test('[F14] what was sent before the browser went offline proves no network, until it is back', () => {
  const states: string[] = []
  let answers = 0
  const watch = watchNetwork(
    { random: () => 0, setTimer: () => () => undefined },
    {
      probe: () => Promise.resolve(),
      changed: (network) => void states.push(network),
      online: () => undefined,
      serverAnswered: () => void answers++,
    },
  )
  const [early, other] = [watch.begin(), watch.begin()]
  watch.browser(false)
  early({ ...good, works: true })
  expect([states, answers]).toEqual([['offline'], 1])
  // A request of the outage has an answer all the same.
  watch.begin()(good)
  watch.browser(false)
  watch.browser(true)
  other(good)
  expect(states).toEqual(['offline', 'online', 'offline', 'online'])
})

test('[S4.09][S9.13] reconnects after 500 ms, doubled to 15 s, and up to 300 ms more', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => reconnectIn(attempt, 0))).toEqual([
    500, 1000, 2000, 4000, 8000, 15_000, 15_000,
  ])
  expect(reconnectIn(0, 0.999)).toBe(500 + 299)
})

test('tries again within a span that doubles, not before the server asked', () => {
  expect(retryIn(0, 0.999, null)).toBeLessThan(2000)
  expect(retryIn(30, 0.999, null)).toBeLessThan(RETRY_MAX_MS)
  expect(retryIn(0, 0, null)).toBeGreaterThan(0)
  expect(retryIn(0, 0, 30_000)).toBe(30_000)
})
