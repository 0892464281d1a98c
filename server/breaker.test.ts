import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CircuitOpen, openBreaker, type Breaker } from './breaker.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = (): Promise<never> => new Promise(() => undefined)

function make(trial: () => Promise<unknown>): { breaker: Breaker; changes: string[] } {
  const changes: string[] = []
  return {
    changes,
    breaker: openBreaker({
      patienceMs: 50,
      retryMs: 1000,
      trial,
      changed: (circuit) => changes.push(circuit),
    }),
  }
}

test('closed: it returns the result of the work', async () => {
  const { breaker, changes } = make(never)
  expect(await breaker.run(async () => 7)).toBe(7)
  expect([breaker.circuit, changes]).toEqual(['closed', []])
})

test('the first failure opens it: the next callers do not wait, and their work does not run', async () => {
  const { breaker, changes } = make(never)
  await expect(breaker.run(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  let ran = 0
  await expect(breaker.run(async () => (ran += 1))).rejects.toBeInstanceOf(CircuitOpen)
  expect([breaker.circuit, ran, changes]).toEqual(['open', 0, ['open']])
})

test('no caller waits longer than the patience; many at once open it once', async () => {
  const { breaker, changes } = make(never)
  const waiting = Promise.all(
    [1, 2, 3].map(() => breaker.run(never).catch((error: unknown) => error)),
  )
  await vi.advanceTimersByTimeAsync(49)
  expect(breaker.circuit).toBe('closed')
  // one ms for the timer, one for the extra iteration of the event loop
  await vi.advanceTimersByTimeAsync(2)
  expect((await waiting).every((error) => error instanceof CircuitOpen)).toBe(true)
  expect([breaker.circuit, changes]).toEqual(['open', ['open']])
})

test('half-open: its own trial decides, again and again, and callers are refused meanwhile', async () => {
  const trials: PromiseWithResolvers<void>[] = []
  const { breaker, changes } = make(() => {
    const trial = Promise.withResolvers<void>()
    trials.push(trial)
    return trial.promise
  })
  await expect(breaker.run(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  await vi.advanceTimersByTimeAsync(1000)
  expect([breaker.circuit, trials.length]).toEqual(['half-open', 1])
  await expect(breaker.run(async () => 1)).rejects.toBeInstanceOf(CircuitOpen)
  // the first trial times out, the second one succeeds
  await vi.advanceTimersByTimeAsync(51)
  expect(breaker.circuit).toBe('open')
  await vi.advanceTimersByTimeAsync(1000)
  expect(trials).toHaveLength(2)
  trials[1]?.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect([breaker.circuit, changes, await breaker.run(async () => 2)]).toEqual([
    'closed',
    ['open', 'closed'],
    2,
  ])
})

test('after close it makes no more trials', async () => {
  let trials = 0
  const { breaker } = make(async () => (trials += 1))
  await expect(breaker.run(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  breaker.close()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(trials).toBe(0)
})
