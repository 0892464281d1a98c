import { expect, test } from 'vitest'
import { Turns } from './turns.ts'
import { Late } from './within.ts'

test('[SYNC 6] transactions of a connection run one at a time, in order, also after a failure', async () => {
  const turns = new Turns(() => () => undefined)
  const running = new Set<string>()
  const seen: string[] = []
  const slow = (name: string) => async () => {
    running.add(name)
    await new Promise((resolve) => setTimeout(resolve, 0))
    seen.push([...running].join('+'))
    running.delete(name)
  }
  const failing = turns.take(() => Promise.reject(new Error('undone')))
  await Promise.all([
    expect(failing).rejects.toThrow('undone'),
    ...['a', 'b', 'c'].map((name) => turns.take(slow(name))),
  ])
  expect(seen).toEqual(['a', 'b', 'c'])
})

test('[S13.60] a transaction that does not end is given up after 8 s, and after one late timer not yet', async () => {
  const timers: { readonly ms: number; readonly what: () => void }[] = []
  const turns = new Turns((ms, what) => {
    timers.push({ ms, what })
    return () => undefined
  })
  const outcomes: unknown[] = []
  const blocked = turns.take(() => new Promise(() => undefined))
  blocked.catch((error: unknown) => outcomes.push(error))
  const next = turns.take(() => Promise.resolve('next'))
  await expect.poll(() => timers.length).toBe(1)
  timers[0]?.what()
  await expect.poll(() => timers.length).toBe(2)
  expect(outcomes).toEqual([])
  timers[1]?.what()
  expect(await next).toBe('next')
  expect(outcomes).toEqual([expect.any(Late)])
  expect(timers.slice(0, 2).map(({ ms }) => ms)).toEqual([4000, 4000])
})
