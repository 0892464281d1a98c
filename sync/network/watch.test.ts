import { RETRY_MAX_MS } from '#schema/limits'
import { expect, test } from 'vitest'
import { reconnectIn, retryIn } from './backoff.ts'
import { type Evidence, type NetworkObservation, SLOW_MS, unknownYet, weigh } from './watch.ts'

function after(...signs: readonly NetworkObservation[]): Evidence['network'] {
  return signs.reduce<Evidence>(weigh, unknownYet).network
}

const good: NetworkObservation = { kind: 'answered', eventsBefore: 5, ms: 100 }

test.each<[Evidence['network'], readonly NetworkObservation[]]>([
  ['online', [good]],
  ['weak', [{ kind: 'answered', eventsBefore: 5, ms: SLOW_MS }]],
  ['online', [{ kind: 'failed' }]],
  ['weak', [{ kind: 'silent' }]],
  ['offline', [{ kind: 'failed' }, { kind: 'failed' }]],
  ['offline', [{ kind: 'silent' }, { kind: 'failed' }]],
  ['online', [{ kind: 'failed' }, good, { kind: 'failed' }]],
  ['captive', [{ kind: 'captive' }]],
  ['online', [{ kind: 'captive' }, good]],
  ['offline', [{ kind: 'browser', online: false, at: 5 }]],
  [
    'offline',
    [
      { kind: 'browser', online: false, at: 5 },
      { kind: 'browser', online: true, at: 5 },
    ],
  ],
  ['online', [{ kind: 'browser', online: false, at: 5 }, good]],
  // A request sent before the browser went offline proves nothing.
  ['offline', [{ kind: 'browser', online: false, at: 6 }, good]],
  // The clock was ahead, and was corrected when the network came back.
  [
    'online',
    [{ kind: 'browser', online: false, at: 6 }, { kind: 'browser', online: true, at: 1 }, good],
  ],
])('[F14] [S4.23] %s after %j', (network, signs) => {
  expect(after(...signs)).toBe(network)
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
