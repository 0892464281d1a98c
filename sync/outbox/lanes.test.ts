import type { Entry } from '#schema/disk/entry'
import { expect, test } from 'vitest'
import { waitingEntry } from '../../tests/engine/entry.ts'
import { LONGEST_WAIT_MS, type Conditions, schedule } from './lanes.ts'

const conditions: Conditions = { now: 1000, wifi: true, maxBatch: () => 1 }

const entry = (sequence: number, lane: string, more: Partial<Entry> = {}): Entry =>
  waitingEntry({
    id: `e${sequence}`,
    sequence,
    lane,
    name: 'message.send',
    payload: {},
    bornAt: 0,
    bytes: 700,
    ...more,
  })

function ids(entries: readonly Entry[], more: Partial<Conditions> = {}): string[][] {
  return schedule(entries, { ...conditions, ...more }).batches.map((batch) =>
    batch.map(({ id }) => id),
  )
}

test('a clock that was set back makes nothing wait, since the length of the wait is unknown', () => {
  const spent = { bytes: 0, since: 0, ms: 0, at: 900_000, hours: 24 }
  const tried = entry(1, 'a', { notBefore: 960_000, triedAt: 900_000, spent })
  const gathers = entry(2, 'b', { notBefore: 915_000, bornAt: 900_000 })
  expect(schedule([tried, gathers], conditions).batches).toEqual([[tried], [gathers]])
  expect(
    schedule(
      [entry(3, 'a', { ...tried, bornAt: 900_000, spent: { ...spent, at: 500 } })],
      conditions,
    ).batches,
  ).toEqual([])
})

test('one of each lane, in the order of writing', () => {
  expect(ids([entry(1, 'a'), entry(2, 'a'), entry(3, 'b')])).toEqual([['e1'], ['e3']])
})

test('an entry in flight blocks its lane only', () => {
  expect(ids([entry(1, 'a', { state: 'sending' }), entry(2, 'a'), entry(3, 'b')])).toEqual([['e3']])
})

test.each(['refused', 'signed-out', 'acknowledged'] as const)(
  '%s entries do not block what was written after them',
  (state) => {
    expect(ids([entry(1, 'a', { state }), entry(2, 'a')])).toEqual([['e2']])
  },
)

test('an entry that waits for time blocks its lane, and sets the next wake-up', () => {
  const found = schedule(
    [entry(1, 'a', { notBefore: 5000 }), entry(2, 'a'), entry(3, 'b', { notBefore: 4000 })],
    conditions,
  )
  expect(found).toEqual({ batches: [], wakeAt: 4000 })
})

test('a wait that only a jumped clock can explain is none', () => {
  expect(ids([entry(1, 'a', { notBefore: 1000 + LONGEST_WAIT_MS + 1 })])).toEqual([['e1']])
})

test('a dependent entry waits until the other one is acknowledged', () => {
  const behind = entry(2, 'b', { after: 'e1' })
  expect(ids([entry(1, 'a', { state: 'sending' }), behind])).toEqual([])
  expect(ids([entry(1, 'a', { state: 'refused' }), behind])).toEqual([])
  expect(ids([entry(1, 'a', { state: 'acknowledged' }), behind])).toEqual([['e2']])
  expect(ids([behind])).toEqual([['e2']])
})

test('texts before photos, measurements last', () => {
  expect(
    ids([entry(1, 'v', { low: true }), entry(2, 'p', { bytes: 250_000 }), entry(3, 't')]),
  ).toEqual([['e3'], ['e2'], ['e1']])
})

test('a Wi-Fi-only entry waits for Wi-Fi', () => {
  expect(ids([entry(1, 'p', { wifiOnly: true })], { wifi: false })).toEqual([])
  expect(ids([entry(1, 'p', { wifiOnly: true })])).toEqual([['e1']])
})

test('batchable entries are sent together, up to the maximum and to the first of another command', () => {
  const views = [1, 2, 3].map((sequence) => entry(sequence, 'v', { name: 'listing.viewed' }))
  expect(ids([...views, entry(4, 'v')], { maxBatch: () => 50 })).toEqual([['e1', 'e2', 'e3']])
  expect(ids(views, { maxBatch: () => 2 })).toEqual([['e1', 'e2']])
})
