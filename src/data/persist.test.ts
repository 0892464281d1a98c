import { beforeEach, expect, test, vi } from 'vitest'
import { askToPersist } from './persist.ts'

const kept = new Map<string, string>()
vi.mock('./session.ts', () => ({
  stored: (key: string) => kept.get(key) ?? null,
  keep: (_where: string, key: string, value: string) => void kept.set(key, value),
}))

function browser(answer: boolean, already = false) {
  const persist = vi.fn<() => Promise<boolean>>(() => Promise.resolve(answer))
  vi.stubGlobal('navigator', { storage: { persist, persisted: () => Promise.resolve(already) } })
  return persist
}

beforeEach(() => kept.clear())

test('persistence is requested once per occasion, and not again once granted', async () => {
  const refusing = browser(false)
  expect(await askToPersist('signed-in')).toBe(false)
  expect(await askToPersist('signed-in')).toBeNull()
  expect(await askToPersist('draft')).toBe(false)
  expect(refusing).toHaveBeenCalledTimes(2)
  const granting = browser(true)
  expect(await askToPersist('installed')).toBe(true)
  kept.set('persist_asked', kept.get('persist_asked')?.replace('draft', '') ?? '')
  expect(await askToPersist('draft')).toBeNull()
  expect(granting).toHaveBeenCalledTimes(1)
})

test('no request if persistence is granted already, or unsupported', async () => {
  const persist = browser(true, true)
  expect(await askToPersist('signed-in')).toBe(true)
  expect(persist).not.toHaveBeenCalled()
  kept.clear()
  vi.stubGlobal('navigator', {})
  expect(await askToPersist('signed-in')).toBeNull()
})
