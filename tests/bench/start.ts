import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discard } from '../support/folder.ts'
import { startProduct } from '../support/product.ts'
import { type Figure, median } from './measure.ts'

/** From the command to the ready line: on an empty folder, and again on the filled one. */
export async function start(): Promise<readonly Figure[]> {
  const first: number[] = []
  const second: number[] = []
  for (let run = 0; run < 5; run += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'market-'))
    for (const times of [first, second]) {
      const market = await startProduct({ dataDir })
      times.push(market.readyMs)
      await market.stop()
    }
    discard(dataDir)
  }
  return [
    {
      what: 'start on an empty folder, demo market filled',
      value: median(first),
      unit: 'ms',
      reach: 15_000,
    },
    { what: 'second start', value: median(second), unit: 'ms', reach: 3000 },
  ]
}
