import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { preview } from 'vite'
import { freePort } from '../support/product.ts'

const run = promisify(execFile)
const configFile = 'tests/gallery/vite.config.ts'

/** Builds the gallery and serves it until `close`. */
export async function serveGallery(): Promise<{ readonly url: string; close(): Promise<void> }> {
  await run('npx', ['vite', 'build', '--config', configFile, '--logLevel', 'error'])
  const server = await preview({ configFile, preview: { port: await freePort() } })
  // Set by Vite, and the markets that are started after this would have it.
  delete process.env['NODE_ENV']
  return { url: server.resolvedUrls?.local[0] ?? '', close: () => server.close() }
}
