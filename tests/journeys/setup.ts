import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { preview } from 'vite'
import { chromium } from '../support/chromium.ts'
import { discard } from '../support/folder.ts'
import { freePort, startProduct } from '../support/product.ts'

const run = promisify(execFile)

/**
 * Runs once: installs the browser (two workers that both install one fail), fills the market that
 * each worker copies, and builds and serves the gallery.
 */
export default async function setup(): Promise<() => Promise<void>> {
  chromium()
  const dataDir = mkdtempSync(join(tmpdir(), 'filled-'))
  const [closeGallery] = await Promise.all([serveGallery(), fillMarket(dataDir)])
  process.env['FILLED_MARKET'] = dataDir
  return async () => {
    await closeGallery()
    discard(dataDir)
  }
}

async function fillMarket(dataDir: string): Promise<void> {
  const market = await startProduct({ dataDir })
  await market.stop()
}

async function serveGallery(): Promise<() => Promise<void>> {
  const configFile = 'tests/gallery/vite.config.ts'
  await run('npx', ['vite', 'build', '--config', configFile, '--logLevel', 'error'])
  const server = await preview({ configFile, preview: { port: await freePort() } })
  // Set by Vite, and the markets that are started after this would have it.
  delete process.env['NODE_ENV']
  process.env['GALLERY'] = server.resolvedUrls?.local[0]
  return () => server.close()
}
