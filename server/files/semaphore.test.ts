import { expect, test } from 'vitest'
import { semaphore } from './semaphore.ts'

test('[S4.19] at most the given number at once, the rest in order; a failure frees its slot', async () => {
  const turn = semaphore(2)
  const started: number[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const run = (n: number) => {
    const end = Promise.withResolvers<void>()
    ends[n] = end
    return turn(() => {
      started.push(n)
      return end.promise
    })
  }
  const all = [0, 1, 2, 3].map(run)
  const settled = Promise.allSettled(all)
  expect(started).toEqual([0, 1])
  ends[1]?.reject(new Error('broken'))
  await expect(all[1]).rejects.toThrow('broken')
  expect(started).toEqual([0, 1, 2])
  ends[0]?.resolve()
  await all[0]
  expect(started).toEqual([0, 1, 2, 3])
  for (const end of ends) end.resolve()
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
})
