import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EVENT_DEBOUNCE_MS } from '#schema/limits'
import { burst } from './burst.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('[S9.16] calls within 1.2 s of each other give one callback, with the last value', () => {
  const taken: string[] = []
  const { take } = burst<string>(EVENT_DEBOUNCE_MS, (one) => taken.push(one))
  take('one')
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS - 1)
  take('two')
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS - 1)
  expect(taken).toEqual([])
  vi.advanceTimersByTime(1)
  take('three')
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS)
  expect(taken).toEqual(['two', 'three'])
})

test('stop drops the pending value', () => {
  const taken: string[] = []
  const { take, stop } = burst<string>(EVENT_DEBOUNCE_MS, (one) => taken.push(one))
  take('one')
  stop()
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS)
  expect(taken).toEqual([])
})
