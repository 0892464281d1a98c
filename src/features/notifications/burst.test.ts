import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EVENT_DEBOUNCE_MS } from '#schema/limits'
import { burst } from './burst.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('[S9.16] what comes within 1.2 s of each other is said once, as the last of it', () => {
  const said: string[] = []
  const { take } = burst<string>(EVENT_DEBOUNCE_MS, (one) => said.push(one))
  take('one')
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS - 1)
  take('two')
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS - 1)
  expect(said).toEqual([])
  vi.advanceTimersByTime(1)
  take('three')
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS)
  expect(said).toEqual(['two', 'three'])
})

test('what still waits is forgotten with its screen', () => {
  const said: string[] = []
  const { take, stop } = burst<string>(EVENT_DEBOUNCE_MS, (one) => said.push(one))
  take('one')
  stop()
  vi.advanceTimersByTime(EVENT_DEBOUNCE_MS)
  expect(said).toEqual([])
})
