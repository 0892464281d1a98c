import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TOAST_MS } from '#schema/limits'
import { dismiss, onToast, shownToast, toast } from './toasts.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

test('[S8.06] errors show at most once per 2 s; other toasts always', () => {
  const texts: unknown[] = []
  const stop = onToast(() => texts.push(shownToast()?.text ?? ''))
  vi.advanceTimersByTime(TOAST_MS)
  toast('one', { tone: 'danger' })
  toast('two', { tone: 'danger' })
  toast('saved')
  vi.advanceTimersByTime(TOAST_MS - 1)
  toast('three', { tone: 'danger' })
  vi.advanceTimersByTime(1)
  toast('four', { tone: 'danger' })
  stop()
  expect(texts).toEqual(['one', 'saved', 'four'])
})

test('dismissing a replaced toast leaves its successor', () => {
  toast('first')
  const first = shownToast()
  toast('second')
  dismiss(first?.id ?? 0)
  expect(shownToast()?.text).toBe('second')
})
