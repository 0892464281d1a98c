import { cpSync, globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type BrowserContext, type Page, test as base, chromium, expect } from '@playwright/test'
import { member } from '../support/api.ts'
import { chromium as path, flags } from '../support/chromium.ts'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import { keepToasts } from './toasts.ts'

/** A phone: a browser with a profile that outlives its closing, behind a network of its own. */
export class Phone {
  readonly proxy: Proxy
  readonly #profile = mkdtempSync(join(tmpdir(), 'phone-'))
  /** The browser's own, as flags. */
  readonly #settings: readonly string[]
  readonly #size: { readonly width: number; readonly height: number }
  #context: BrowserContext | null = null
  /** What the page said was wrong: a journey ends with none. */
  readonly complaints: string[] = []

  constructor(proxy: Proxy, size = { width: 360, height: 640 }, settings: readonly string[] = []) {
    this.proxy = proxy
    this.#size = size
    this.#settings = settings
  }

  /** Its person forbade all sites to keep anything. */
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

  /** Starts the browser if it is closed, and opens a path in a new tab. */
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

  /** The next POST to the address arrives whole, and its answer is lost. */
  async loseAnswer(address: string): Promise<void> {
    let lost = false
    await this.context.route(address, async (route) => {
      if (lost || route.request().method() !== 'POST') return route.continue()
      lost = true
      await route.fetch()
      return route.abort('connectionreset')
    })
  }

  /** Every tab and the browser itself, as when Android needs the memory. */
  async close(): Promise<void> {
    await this.#context?.close()
    this.#context = null
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('the phone is off')
    return this.#context
  }

  async discard(): Promise<void> {
    await this.close()
    await this.proxy.close()
    discard(this.#profile)
  }

  async #start(): Promise<BrowserContext> {
    return chromium.launchPersistentContext(this.#profile, {
      executablePath: path(),
      args: [...flags, ...this.#settings],
      viewport: this.#size,
      locale: 'fr-FR',
      hasTouch: this.#size.width < 900,
      isMobile: this.#size.width < 900,
      deviceScaleFactor: this.#size.width < 900 ? 2 : 1,
    })
  }
}

/** The browser's own lines about a network that is cut or a refusal that the app handles. */
const expected =
  /net::ERR_|fetching the script|dynamically imported module|Unable to preload CSS|Failed to load resource|WebSocket connection to|the server responded with a status of/

export interface Journey {
  readonly phone: Phone
  /** Another person's phone on the same market. */
  readonly other: Phone
  readonly desktop: Phone
}

/** The market is started once a worker, on a copy of one filled folder, so that workers do not meet. */
export const test = base.extend<Journey, { readonly market: Product }>({
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
  phone: async ({ market }, use) => {
    const phone = new Phone(await new Proxy(market.port).listen())
    await use(phone)
    await phone.discard()
    expect(phone.complaints).toEqual([])
  },
  other: async ({ market }, use) => {
    const phone = new Phone(await new Proxy(market.port).listen())
    await use(phone)
    await phone.discard()
    expect(phone.complaints).toEqual([])
  },
  desktop: async ({ market }, use) => {
    const phone = new Phone(await new Proxy(market.port).listen(), { width: 1280, height: 800 })
    await use(phone)
    await phone.discard()
    expect(phone.complaints).toEqual([])
  },
})

export { expect }

/** The first screen shows data and answers a tap [SURFACE 2]. */
export async function ready(page: Page): Promise<void> {
  await expect(page.locator('html[data-ready]')).toBeAttached()
}

/** The app is on the phone: its service worker controls the page and has kept every file of the build (it does so after the first tap). */
export async function settled(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await controlled(page)
  await everythingKept(page)
}

/** The app opens without a network from here on; screens that were not opened are another matter. */
export async function controlled(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true)
}

/** The app has kept the look of this screen; one that is still on its way would be taken for a later one. */
export async function screenKept(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect
    .poll(() =>
      page.evaluate(() =>
        caches
          .match(location.pathname, { cacheName: 'screens' })
          .then((answer) => answer !== undefined),
      ),
    )
    .toBe(true)
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

/** What the engine says of itself; undefined before it can. */
export async function stats(page: Page): Promise<unknown> {
  return page.evaluate('globalThis.yaar?.stats().catch(() => undefined)')
}

/** The phone itself has so many documents: what stands on the glass may have come with the page alone. */
export async function holds(page: Page, collection: string, least: number): Promise<void> {
  await expect
    .poll(async () => Number(member(member(await stats(page), 'counts'), collection)))
    .toBeGreaterThanOrEqual(least)
}

export async function signIn(
  page: Page,
  phone: Phone,
  username: string,
  next = '/',
): Promise<void> {
  await page.goto(`${phone.url}/auth?mode=login&next=${encodeURIComponent(next)}`)
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill(username)
  const password = page.getByLabel('Mot de passe', { exact: true })
  await password.fill('marche2026')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.waitForURL(phone.url + next)
}
