import { beforeEach, expect, test, vi } from 'vitest'
import type { Lost } from './lost.ts'

const reports: (Lost | null)[] = []
vi.mock('./lost.ts', () => ({
  WAITS: 'waits',
  setLost: (now: Lost | null) => void reports.push(now),
}))

async function page() {
  vi.resetModules()
  const { receiveWaits, forgetLost } = await import('./waits.ts')
  return {
    hear(born: string, owner: string, count: number, messages = count): Lost | null {
      receiveWaits({ kind: 'waits', born, owner, count, messages })
      return reports.at(-1) ?? null
    },
    forget(): Lost | null {
      forgetLost()
      return reports.at(-1) ?? null
    },
  }
}

beforeEach(() => void reports.splice(0))

test('entries that were sent or removed are not lost', async () => {
  const { hear } = await page()
  expect([hear('b1', 'awa', 3), hear('b1', 'awa', 1), hear('b1', 'awa', 0)]).toEqual([
    null,
    null,
    null,
  ])
  expect(hear('b2', 'awa', 0)).toBeNull()
})

test('with another database unsent entries are lost: only their owner sees it, until dismissed', async () => {
  const { hear, forget } = await page()
  hear('b1', 'awa', 3, 2)
  hear('b1', 'issa', 1)
  expect(hear('b2', '', 0)).toBeNull()
  expect(hear('b2', 'awa', 1)).toEqual({ count: 3, messages: 2 })
  expect(forget()).toBeNull()
  expect(hear('b2', 'awa', 1)).toBeNull()
  expect(hear('b2', 'issa', 0)).toEqual({ count: 1, messages: 1 })
})

test('entries that an open tab restored are not lost', async () => {
  const { hear } = await page()
  hear('b1', 'awa', 3)
  expect(hear('b2', 'awa', 0)).toEqual({ count: 3, messages: 3 })
  expect(hear('b1', 'awa', 3)).toBeNull()
  expect(hear('b1', 'awa', 2)).toBeNull()
})

test('two wipes before the notice is dismissed are both counted', async () => {
  const { hear } = await page()
  hear('b1', 'awa', 3)
  hear('b2', 'awa', 2)
  expect(hear('b3', 'awa', 0)).toEqual({ count: 5, messages: 5 })
})
