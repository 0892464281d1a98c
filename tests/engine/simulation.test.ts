import { expect, test, vi } from 'vitest'
import { live } from './model/run.ts'

/**
 * Whole lives of a phone in virtual time, each from its seed. `RUNS=10000` makes more of them, `SEED=123` (with `PLAIN=1` for
 * a plainer server) repeats one. A life that goes wrong tells its story.
 */
const RUNS = Number(process.env['RUNS'] ?? 1000)
const BATCH = 50
const only = process.env['SEED']
const plain = process.env['PLAIN'] !== undefined

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

/** Empty when all went well. */
async function story(seed: number, keys: boolean): Promise<string> {
  const { wrongs, log } = await live({ seed, keys })
  return wrongs.length === 0 ? '' : `SEED=${seed}${keys ? '' : ' PLAIN=1'} npx vitest run tests/engine/simulation\n${[...wrongs, ...log].join('\n')}`
}

function batches(runs: number): number[][] {
  if (only !== undefined) return [[Number(only)]]
  return Array.from({ length: runs / BATCH }, (_, batch) => Array.from({ length: BATCH }, (_one, n) => batch * BATCH + n + 1))
}

const seeds = plain ? [] : batches(RUNS)
/** Lives that once went wrong: 1180, a disk that fails at the moment of signing in. */
const remembered = [1180]
const plainSeeds = only === undefined ? [...batches(RUNS / 10), remembered] : plain ? batches(RUNS / 10) : []

test.each(seeds.map((batch) => [batch[0], batch] as const))('[S4.14] nothing lost, doubled, reordered, mixed or falsely shown: seeds from %i', { timeout: 240_000 }, async (_from, batch) => {
  for (const seed of batch) expect(await story(seed, true)).toBe('')
})

test.each(plainSeeds.map((batch) => [batch[0], batch] as const))('a server that ignores keys: nothing lost, read back before it is sent again: seeds from %i', { timeout: 240_000 }, async (_from, batch) => {
  for (const seed of batch) expect(await story(seed, false)).toBe('')
})

test('the same seed tells the same story', async () => {
  const [once, again] = [await live({ seed: 7 }), await live({ seed: 7 })]
  expect(again.log).toEqual(once.log)
  expect(once.sent).toBeGreaterThan(0)
})
