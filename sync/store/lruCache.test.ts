import { expect, test } from 'vitest'
import { LruCache } from './lruCache.ts'

const row = (id: string, n = 0) => ({ id, n })
const nothing = (): Promise<never> => Promise.reject(new Error('read'))

test('reads missing rows once, and updates cached ones', async () => {
  const hot = new LruCache<ReturnType<typeof row>>(10)
  expect(
    await hot.get(['a', 'b', 'c'], async (missing) =>
      missing.filter((id) => id !== 'c').map((id) => row(id)),
    ),
  ).toEqual([row('a'), row('b')])
  hot.learn([
    { id: 'a', now: row('a', 1) },
    { id: 'b', now: null },
    { id: 'd', now: row('d') },
  ])
  expect(await hot.get(['a'], nothing)).toEqual([row('a', 1)])
  expect(
    await hot.get(['a', 'b', 'd'], async (missing) => (expect(missing).toEqual(['b', 'd']), [])),
  ).toEqual([row('a', 1)])
})

test('a write during a read wins', async () => {
  const hot = new LruCache<ReturnType<typeof row>>(10)
  let reads = 0
  const read = async (missing: string[]) => {
    if (reads++ === 0) {
      hot.learn([{ id: 'a', now: row('a', 2) }])
      return missing.map((id) => row(id, 1))
    }
    return missing.map((id) => row(id, 2))
  }
  expect(await hot.get(['a', 'b'], read)).toEqual([row('b', 1), row('a', 2)])
  expect(await hot.get(['a'], nothing)).toEqual([row('a', 2)])
})

test('the oldest row is evicted when there are too many', async () => {
  const hot = new LruCache<ReturnType<typeof row>>(2)
  const read = async (missing: string[]) => missing.map((id) => row(id))
  await hot.get(['a', 'b'], read)
  await hot.get(['a'], nothing)
  await hot.get(['c'], read)
  expect(await hot.get(['a', 'c'], nothing)).toHaveLength(2)
  await expect(hot.get(['b'], nothing)).rejects.toThrow('read')
})
