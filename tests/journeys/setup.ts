import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '../support/product.ts'

/** Fills one market before all journeys; each worker starts on a copy of it. */
export default async function setup(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'filled-'))
  const market = await startProduct({ dataDir })
  await market.stop()
  process.env['FILLED_MARKET'] = dataDir
  return () => rmSync(dataDir, { recursive: true, force: true })
}
