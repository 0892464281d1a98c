import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveGallery } from '../gallery/serve.ts'
import { chromium } from '../support/chromium.ts'
import { discard } from '../support/folder.ts'
import { startProduct } from '../support/product.ts'

/**
 * Runs once: installs the browser (two workers that both install one fail), fills the market that
 * each worker copies, and builds and serves the gallery.
 */
export default async function setup(): Promise<() => Promise<void>> {
  chromium()
  const dataDir = mkdtempSync(join(tmpdir(), 'filled-'))
  const [gallery] = await Promise.all([serveGallery(), fillMarket(dataDir)])
  process.env['FILLED_MARKET'] = dataDir
  process.env['GALLERY'] = gallery.url
  return async () => {
    await gallery.close()
    discard(dataDir)
  }
}

async function fillMarket(dataDir: string): Promise<void> {
  const market = await startProduct({ dataDir })
  await market.stop()
}
