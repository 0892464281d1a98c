import { expect, test, vi } from 'vitest'
import { live } from './model/run.ts'

/**
 * Whole lives of a phone in virtual time, each from its seed. `RUNS=10000` makes more of them, `SEED=123` (with
 * `PLAIN=1` for a plainer server) repeats one and prints its story.
 */
const RUNS = Number(process.env['RUNS'] ?? 1000)
const BATCH = 50
const only = process.env['SEED']

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

async function judge(seed: number, keys: boolean): Promise<void> {
  const { wrongs, log } = await live({ seed, keys })
  expect(wrongs, `SEED=${seed}${keys ? '' : ' PLAIN=1'} npx vitest run tests/engine/simulation\n${log.join('\n')}`).toEqual([])
}

if (only !== undefined) {
  test(`seed ${only}`, { timeout: 120_000 }, async () => {
    const keys = process.env['PLAIN'] === undefined
    const { log } = await live({ seed: Number(only), keys })
    console.log(log.join('\n'))
    await judge(Number(only), keys)
  })
} else {
  for (let from = 1; from <= RUNS; from += BATCH) {
    test(`[S4.14] nothing lost, doubled, reordered, mixed or falsely shown: seeds ${from} to ${from + BATCH - 1}`, { timeout: 240_000 }, async () => {
      for (let seed = from; seed < from + BATCH; seed++) await judge(seed, true)
    })
  }

  test('a server that ignores keys: nothing lost, and read back before it is sent again', { timeout: 240_000 }, async () => {
    for (let seed = 1; seed <= RUNS / 10; seed++) await judge(seed, false)
  })

  test('the same seed tells the same story', async () => {
    const [once, again] = [await live({ seed: 7 }), await live({ seed: 7 })]
    expect(again.log).toEqual(once.log)
    expect(once.sent).toBeGreaterThan(0)
  })
}
