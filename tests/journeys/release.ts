import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import { Device, test as base } from './device.ts'

/** A market that switches to the next release at the same address with the same data. */
export interface Releases {
  readonly market: Product
  readonly device: Device
  /** Deploys the next release: its page, its service worker and all file names differ. */
  next(): Promise<void>
}

export const NEXT = 'index-next.js'

export const test = base.extend<{ readonly releases: Releases }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
  releases: async ({}, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'market-'))
    const filled = process.env['FILLED_MARKET']
    if (filled !== undefined) cpSync(filled, dataDir, { recursive: true })
    const webDir = nextRelease()
    const env = { LISTING_REVIEW: 'manual', RATE_LIMITS: 'off' }
    let market = await startProduct({ dataDir, env })
    const device = new Device(await new Proxy(market.port).listen())
    await use({
      market,
      device,
      async next() {
        await market.stop()
        market = await startProduct({
          dataDir,
          port: market.port,
          env: { ...env, WEB_DIR: webDir },
        })
      },
    })
    await device.discard()
    await market.stop()
    discard(dataDir)
    discard(webDir)
  },
})

/** As long: an update knows its version of a file by the name without hash [S13.72]. */
const otherHash = (name: string) =>
  name.replace(/.(?=\.\w+$)/, (last) => (last === '_' ? '-' : '_'))

/** Renames every file, as if its content changed: releases share no file. */
function nextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  cpSync('dist/web', folder, { recursive: true })
  // Compressed files belong to the release before.
  for (const name of globSync(`${folder}/**/*.{br,gz}`)) rmSync(name)
  const names = readdirSync(join(folder, 'assets')).map(
    (name) => [name, /^index-.*\.js$/.test(name) ? NEXT : otherHash(name)] as const,
  )
  if (!names.some(([, next]) => next === NEXT)) throw new Error('the build has no first script')
  for (const [name, next] of names)
    renameSync(join(folder, 'assets', name), join(folder, 'assets', next))
  for (const file of globSync([`${folder}/**/*.{html,js,css}`, `${folder}/.vite/*.json`])) {
    writeFileSync(
      file,
      names.reduce((text, [name, next]) => text.replaceAll(name, next), readFileSync(file, 'utf8')),
    )
  }
  const service = readFileSync(join(folder, 'sw.js'), 'utf8')
  const other = service.replace(/"revision":"\w+",(?="url":"index\.html")/, '"revision":"next",')
  if (other === service) throw new Error('the service worker names no revision of the page')
  writeFileSync(join(folder, 'sw.js'), other)
  for (const file of globSync(`${folder}/**/*.{html,js,css}`))
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
  return folder
}
