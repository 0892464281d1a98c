import { cpSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import { Phone, test as base } from './phone.ts'

/** A market of its own, which goes over to the next release at the same address and on the same data. */
export interface Releases {
  readonly market: Product
  readonly phone: Phone
  /** The next release is out: its first script has another name, and so have its page and its service worker. */
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
    const phone = new Phone(await new Proxy(market.port).listen())
    await use({
      market,
      phone,
      async next() {
        await market.stop()
        market = await startProduct({ dataDir, port: market.port, env: { ...env, WEB_DIR: webDir } })
      },
    })
    await phone.discard()
    await market.stop()
    discard(dataDir)
    discard(webDir)
  },
})

function nextRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  cpSync('dist/web', folder, { recursive: true })
  // What was pressed is of the one before.
  for (const name of globSync(`${folder}/**/*.{br,gz}`)) rmSync(name)
  const [first] = globSync(`${folder}/assets/index-*.js`)
  if (first === undefined) throw new Error('the build has no first script')
  const name = first.slice(folder.length + '/assets/'.length)
  for (const file of globSync(`${folder}/**/*.{html,js}`)) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(name, NEXT))
  renameSync(first, join(folder, 'assets', NEXT))
  return folder
}
