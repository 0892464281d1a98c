import { cpSync, globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type Page,
  test as base,
  chromium,
  expect,
} from '@playwright/test'
import { member } from '../support/api.ts'
import { chromium as path, flags } from '../support/chromium.ts'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import { keepToasts } from './toasts.ts'

const PHONE = { width: 360, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

interface DeviceOptions {
  /** It never had the app before: nothing is fetched ahead [S13.72]. */
  readonly first?: boolean
  readonly size?: typeof PHONE
  /** Command-line flags of Chromium. */
  readonly settings?: readonly string[]
  /** Runs in this browser, without a profile on disk: that starts faster, and ends with `close`. */
  readonly browser?: Browser
}

/** A device: storage of its own, behind a network of its own. */
export class Device {
  readonly proxy: Proxy
  readonly #profile = mkdtempSync(join(tmpdir(), 'device-'))
  readonly #options: DeviceOptions
  #context: BrowserContext | null = null
  /** Console errors and page errors: a journey must end with none. */
  readonly complaints: string[] = []

  constructor(proxy: Proxy, options: DeviceOptions = {}) {
    this.proxy = proxy
    this.#options = options
  }

  /** Blocks storage for all sites, in the browser's settings. */
  forbidStorage(): void {
    mkdirSync(join(this.#profile, 'Default'))
    writeFileSync(
      join(this.#profile, 'Default', 'Preferences'),
      JSON.stringify({ profile: { default_content_setting_values: { cookies: 2 } } }),
    )
  }

  get url(): string {
    return this.proxy.url
  }

  async open(to: string): Promise<Page> {
    this.#context ??= await this.#start()
    const page = await this.#context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !expected.test(message.text()))
        this.complaints.push(message.text())
    })
    page.on('pageerror', (error) => this.complaints.push(error.message))
    await page.addInitScript(keepToasts)
    await page.goto(this.url + to)
    return page
  }

  async loseAnswer(address: string): Promise<void> {
    let lost = false
    await this.context.route(address, async (route) => {
      if (lost || route.request().method() !== 'POST') return route.continue()
      lost = true
      await route.fetch()
      return route.abort('connectionreset')
    })
  }

  /** Closes the browser; what the device stored is there when it opens again. */
  async close(): Promise<void> {
    if (this.#options.browser) throw new Error('stores nothing: ask for a device on disk')
    await this.#end()
  }

  async #end(): Promise<void> {
    await this.#context?.close()
    this.#context = null
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('the device is off')
    return this.#context
  }

  async discard(): Promise<void> {
    await this.#end()
    await this.proxy.close()
    discard(this.#profile)
  }

  async #start(): Promise<BrowserContext> {
    const context = await this.#browser()
    if (this.#options.first !== true)
      await context.addInitScript(() => {
        try {
          localStorage.setItem('visited', '1')
        } catch {
          // Storage is forbidden, or the page has none.
        }
      })
    return context
  }

  async #browser(): Promise<BrowserContext> {
    const { size = PHONE, settings = [], browser } = this.#options
    const phone = size.width < 900
    const options = {
      viewport: size,
      locale: 'fr-FR',
      hasTouch: phone,
      isMobile: phone,
      deviceScaleFactor: phone ? 2 : 1,
    }
    if (browser) return browser.newContext(options)
    return chromium.launchPersistentContext(this.#profile, {
      ...options,
      executablePath: path(),
      args: [...flags, ...settings],
    })
  }
}

/** The browser's own lines about a cut network, or about a refusal that the app handles. */
const expected = new RegExp(
  [
    'net::ERR_',
    'fetching the script',
    'dynamically imported module',
    'Unable to preload CSS',
    'Failed to load resource',
    'WebSocket connection to',
    'the server responded with a status of',
  ].join('|'),
)

export interface Journey {
  readonly device: Device
  readonly other: Device
  readonly desktop: Device
  /** A phone that can be closed and opened again, or whose browser is set up. */
  readonly deviceOnDisk: Device
  /** A phone that never had the app, stored like `deviceOnDisk`. */
  readonly first: Device
}

export interface Shared {
  readonly market: Product
  readonly chromium: Browser
}

type Use = (device: Device) => Promise<void>

async function lend(market: Product, options: DeviceOptions, use: Use): Promise<void> {
  const device = new Device(await new Proxy(market.port).listen(), options)
  await use(device)
  await device.discard()
  expect(device.complaints).toEqual([])
}

/** One market per worker, on a copy of one filled folder, so that workers do not interfere. */
export const test = base.extend<Journey, Shared>({
  market: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
    async ({}, use) => {
      const filled = process.env['FILLED_MARKET']
      const dataDir = mkdtempSync(join(tmpdir(), 'market-'))
      if (filled !== undefined) cpSync(filled, dataDir, { recursive: true })
      const market = await startProduct({
        dataDir,
        env: { LISTING_REVIEW: 'manual', RATE_LIMITS: 'off' },
      })
      await use(market)
      await market.stop()
      discard(dataDir)
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  chromium: [
    // oxlint-disable-next-line no-empty-pattern -- see above
    async ({}, use) => {
      // What one device's network was like must not change how the next one loads photos.
      const args = [...flags, '--force-effective-connection-type=4G']
      const browser = await chromium.launch({ executablePath: path(), args })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  device: ({ market, chromium: browser }, use) => lend(market, { browser }, use),
  other: ({ market, chromium: browser }, use) => lend(market, { browser }, use),
  desktop: ({ market, chromium: browser }, use) => lend(market, { browser, size: DESKTOP }, use),
  deviceOnDisk: ({ market }, use) => lend(market, {}, use),
  first: ({ market }, use) => lend(market, { first: true }, use),
})

export { expect }

/**
 * The first screen shows data and responds to a tap [SURFACE 2], and what the app starts a frame
 * later (keys, the folding header) has started.
 */
export async function ready(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached()
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0))),
  )
}

/** The service worker controls the page and has cached the build. */
export async function settled(page: Page): Promise<void> {
  await controlled(page)
  await page.evaluate(() =>
    navigator.serviceWorker.controller?.postMessage({ type: 'keep', files: 'all' }),
  )
  await everythingKept(page)
}

/** From here on the app opens without a network, though not screens that were never opened. */
export async function controlled(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true)
}

/** A snapshot of this screen is stored; a pending one could be taken for a later one. */
export async function screenKept(page: Page, path?: string): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  const kept = () =>
    page.evaluate(async (of) => {
      const answer = await caches.match(of ?? location.pathname, { cacheName: 'screens' })
      return answer !== undefined
    }, path)
  await expect.poll(kept).toBe(true)
}

export async function everythingKept(page: Page): Promise<void> {
  const built = globSync('dist/web/assets/*.{js,css}').map((name) => `/assets/${basename(name)}`)
  const missing = () =>
    page.evaluate(async (paths) => {
      const kept = await Promise.all(paths.map((path) => caches.match(path)))
      return paths.filter((_, at) => !kept[at])
    }, built)
  await expect.poll(missing).toEqual([])
}

/** The engine's stats; undefined before it starts. */
export async function stats(page: Page): Promise<unknown> {
  return page.evaluate('globalThis.yaar?.stats().catch(() => undefined)')
}

/** The local database has at least `least` documents; rendered ones may come from the HTML. */
export async function holds(page: Page, collection: string, least: number): Promise<void> {
  await expect
    .poll(async () => Number(member(member(await stats(page), 'counts'), collection)))
    .toBeGreaterThanOrEqual(least)
}

/** A new page, signed in, at `next`. */
/** `lasting` false: until the browser closes [S4.03]. */
export async function openSignedIn(
  device: Device,
  username: string,
  next = '/',
  lasting = true,
): Promise<Page> {
  const page = await device.open(signInPath(next))
  if (!lasting) await page.getByRole('checkbox', { name: 'Garder ma session ouverte' }).uncheck()
  await fillSignIn(page, device, username, next)
  return page
}

export async function signIn(
  page: Page,
  device: Device,
  username: string,
  next = '/',
): Promise<void> {
  await page.goto(device.url + signInPath(next))
  await fillSignIn(page, device, username, next)
}

export async function fillRegistration(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Nom d’utilisateur' }).fill(name)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`${name}@example.com`)
  await page.getByLabel('Mot de passe', { exact: true }).fill('marche2026')
  await page.getByLabel('Confirmer le mot de passe').fill('marche2026')
}

const signInPath = (next: string): string => `/auth?mode=login&next=${encodeURIComponent(next)}`

async function fillSignIn(
  page: Page,
  device: Device,
  username: string,
  next: string,
): Promise<void> {
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill(username)
  const password = page.getByLabel('Mot de passe', { exact: true })
  await password.fill('marche2026')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.waitForURL(device.url + next)
}
