import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '../support/chromium.ts'
import { discard } from '../support/folder.ts'
import { startProduct } from '../support/product.ts'

/**
 * Runs once: installs the browser (two workers that both install one fail), and fills the market
 * that each worker copies.
 */
export default async function setup(): Promise<() => void> {
  chromium()
  const dataDir = mkdtempSync(join(tmpdir(), 'filled-'))
  const market = await startProduct({ dataDir })
  await market.stop()
  process.env['FILLED_MARKET'] = dataDir
  return () => discard(dataDir)
}
