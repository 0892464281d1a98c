import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { openPrerenderer } from './prerender.ts'

const folder = mkdtempSync(join(tmpdir(), 'prerender-'))
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

test('[S2.36] a page is rendered again when its responses change, and after five minutes for its ages', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T10:00:30Z') })
  const file = join(folder, 'prerender.mjs')
  writeFileSync(
    file,
    'let count = 0\nexport const prerender = async (url, { answers, saveData }) => ' +
      '`${url} ${Object.keys(answers).length} ${saveData} ${++count}`',
  )
  const prerender = await openPrerenderer(file, pino({ enabled: false }))
  const rendered = async (count: number, saveData = false) => {
    const answers = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [at, { rows: [], facts: {} }]),
    )
    const page = await prerender?.('/listings', { answers, saveData })
    return [page?.html, page?.from.at]
  }
  const at = Date.parse('2026-11-22T10:00:00Z')
  expect(await rendered(1)).toEqual(['/listings 1 false 1', at])
  vi.setSystemTime('2026-11-22T10:04:59Z')
  expect(await rendered(1)).toEqual(['/listings 1 false 1', at])
  expect((await rendered(2))[0]).toBe('/listings 2 false 2')
  expect((await rendered(1, true))[0]).toBe('/listings 1 true 3')
  vi.setSystemTime('2026-11-22T10:05:00Z')
  expect(await rendered(1)).toEqual(['/listings 1 false 4', at + 300_000])
})
