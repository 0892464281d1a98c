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
    report(born: string, owner: string, count: number, messages = count): Lost | null {
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
  const { report } = await page()
  expect([report('b1', 'awa', 3), report('b1', 'awa', 1), report('b1', 'awa', 0)]).toEqual([
    null,
    null,
    null,
  ])
  expect(report('b2', 'awa', 0)).toBeNull()
})

test('with another database unsent entries are lost: only their owner sees it, until dismissed', async () => {
  const { report, forget } = await page()
  report('b1', 'awa', 3, 2)
  report('b1', 'issa', 1)
  expect(report('b2', '', 0)).toBeNull()
  expect(report('b2', 'awa', 1)).toEqual({ count: 3, messages: 2 })
  expect(forget()).toBeNull()
  expect(report('b2', 'awa', 1)).toBeNull()
  expect(report('b2', 'issa', 0)).toEqual({ count: 1, messages: 1 })
})

test('entries that an open tab restored are not lost', async () => {
  const { report } = await page()
  report('b1', 'awa', 3)
  expect(report('b2', 'awa', 0)).toEqual({ count: 3, messages: 3 })
  expect(report('b1', 'awa', 3)).toBeNull()
  expect(report('b1', 'awa', 2)).toBeNull()
})

test('two wipes before the notice is dismissed are both counted', async () => {
  const { report } = await page()
  report('b1', 'awa', 3)
  report('b2', 'awa', 2)
  expect(report('b3', 'awa', 0)).toEqual({ count: 5, messages: 5 })
})
