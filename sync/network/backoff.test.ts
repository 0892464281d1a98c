import { RECOVERY_SPREAD_MS, RETRY_AFTER_MAX_MS, RETRY_BASE_MS, RETRY_MAX_MS } from '#schema/limits'
import { expect, test } from 'vitest'
import { createWaits } from './backoff.ts'

class Clock {
  at = 1_000_000
  fraction = 0.999
  readonly waits = createWaits({ now: () => this.at, random: () => this.fraction })
}

test('each failure doubles the span of the next wait, up to its most; a success ends them', () => {
  const { waits } = new Clock()
  const spans = Array.from({ length: 12 }, () => waits.failed('a', 'server', null))
  expect(spans.slice(0, 3)).toEqual(
    [0, 1, 2].map((n) => Math.floor(0.999 * RETRY_BASE_MS * 2 ** n)),
  )
  expect(Math.max(...spans)).toBeLessThan(RETRY_MAX_MS)
  waits.succeeded('a')
  expect([waits.left('a'), waits.failures('a')]).toEqual([0, 0])
})

test('Retry-After is kept: by a person who asks, and by a recovery; an hour of it at most', () => {
  const { waits } = new Clock()
  waits.failed('a', 'server', 60_000)
  expect([waits.left('a', true), waits.recovered('a')]).toEqual([60_000, 60_000])
  waits.failed('b', 'server', 30 * 24 * 3_600_000)
  expect(waits.left('b')).toBe(RETRY_AFTER_MAX_MS)
})

test('a recovery shortens the wait to 2 s; after one that did not help, the next wait is longer', () => {
  const clock = new Clock()
  for (let n = 0; n < 8; n++) clock.waits.failed('a', 'server', null)
  expect(clock.waits.recovered('a')).toBeLessThanOrEqual(2000)
  clock.waits.failed('a', 'server', null)
  const patient = clock.waits.recovered('a')
  expect(patient).toBeGreaterThanOrEqual(2 * RETRY_BASE_MS)
  expect(patient).toBeLessThanOrEqual(2 * RETRY_BASE_MS + RECOVERY_SPREAD_MS)
  // Several answers in a row count as one recovery.
  expect(clock.waits.recovered('a')).toBe(patient)
  for (let n = 0; n < 20; n++) {
    clock.waits.failed('a', n % 2 === 0 ? 'server' : 'network', null)
    expect(clock.waits.recovered('a')).toBeLessThanOrEqual(RETRY_MAX_MS + RECOVERY_SPREAD_MS)
  }
})

test('a person who asks waits for Retry-After alone, and a clock that was set back makes no wait longer', () => {
  const clock = new Clock()
  clock.waits.failed('a', 'server', null)
  expect(clock.waits.left('a', true)).toBe(0)
  expect(clock.waits.left('a')).toBeGreaterThan(0)
  clock.at -= 24 * 3_600_000
  expect(clock.waits.left('a')).toBe(0)
})
