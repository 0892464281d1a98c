import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { list, member, Person, text } from '../support/api.ts'
import { cameraJpeg } from '../support/camera.ts'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import { firefox } from './firefox.ts'
import { type Engine, type Tab, until } from './tab.ts'
import { webkit } from './webkit.ts'

/** The main job in other engines: browse, sign in, write offline, deliver, a draft with a photo. */

let market: Product
const folder = mkdtempSync(join(tmpdir(), 'browsers-'))
const photo = join(folder, 'panier.jpg')

beforeAll(async () => {
  market = await startProduct({ env: { LISTING_REVIEW: 'auto', RATE_LIMITS: 'off' } })
  writeFileSync(photo, (await cameraJpeg('panier.jpg', 1600, 1200)).buffer)
})

afterAll(async () => {
  await market.stop()
  discard(folder)
})

for (const offer of [firefox(), webkit()]) {
  if (offer.missing !== null) console.warn(`SKIPPED in ${offer.name}: ${offer.missing}`)
  describe.skipIf(offer.missing !== null)(`in ${offer.name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await offer.launch()
      console.info(`${engine.name} ${engine.version}`)
    })
    afterAll(async () => {
      await engine.close()
    })

    test('[S2.28] [S4.23] [S5.06] browse, sign in, write offline, deliver once, and a draft with a photo', async () => {
      const proxy = await new Proxy(market.port).listen()
      onTestFinished(() => proxy.close())
      const tab = await engine.newTab()
      expect(await withPage(tab, mainJob(tab, proxy, engine.name))).toBe(1)
    })
  })
}

const oldest = webkit(['PopoverAttribute'])
test.skipIf(oldest.missing !== null)(
  '[S2.24] without popovers, as in Safari before 17, a menu is closed, opens and closes again',
  async () => {
    const engine = await oldest.launch()
    onTestFinished(() => engine.close())
    const tab = await engine.newTab()
    const person = await new Person(market.url).register(`menu${Date.now() % 1e7}`)
    // A page without the app, whose popover polyfill would hide the lack.
    await tab.go(`${market.url}/robots.txt`)
    expect(await tab.ask(`() => 'popover' in HTMLElement.prototype`)).toBe(false)
    await signIn(tab, market.url, person.username, '/settings')
    const open = `() => [...document.querySelectorAll('[role=menuitem]')]
      .some((item) => item.getClientRects().length > 0)`
    const opened = (wanted: boolean): Promise<true> =>
      until(`a menu that is ${wanted ? 'open' : 'shut'}`, async () =>
        (await tab.ask(open)) === wanted ? true : null,
      )
    await shows(tab, 'button[aria-label="Menu du compte"]')
    await opened(false)
    await tab.tap('button', 'Menu du compte')
    await opened(true)
    await tab.tap('main h1')
    expect(await opened(false)).toBe(true)
  },
)

async function signIn(tab: Tab, url: string, username: string, next: string): Promise<void> {
  await tab.go(`${url}/auth?mode=login&next=${encodeURIComponent(next)}`)
  await tab.type('input', 'E-mail ou nom', username)
  await tab.type('input', 'Mot de passe', 'marche2026')
  await tab.tap('button[type=submit]', 'Se connecter')
}

async function mainJob(tab: Tab, proxy: Proxy, name: string): Promise<number> {
  const buyer = await new Person(market.url).register(`${name.toLowerCase()}${Date.now() % 1e7}`)
  const seller = await new Person(market.url).signIn('vendeur')
  const listing = text(
    list(await buyer.ask('GET', `listings/?seller=${seller.id}&page_size=1`), 'results')[0],
    'id',
  )
  const conversation = text(
    await buyer.ask('POST', 'conversations/start/', { listing_id: listing, content: 'Bonjour' }),
    'id',
  )
  const arrived = async (words: string): Promise<number> =>
    list(
      await buyer.ask('GET', `conversations/${conversation}/messages/?page_size=50`),
      'results',
    ).filter((row) => member(row, 'content') === words).length

  await tab.go(`${proxy.url}/`)
  await shows(tab, 'html[data-ready]')
  await tab.tap('article[data-listing] a')
  await shows(tab, 'main h1')
  await signIn(tab, proxy.url, buyer.username, `/messages/${conversation}`)
  await shows(tab, '[data-message]', 'Bonjour')
  await kept(tab)
  await holds(tab, 'one engine that waits for no other', NO_LOCK_PENDING)

  proxy.set('cut')
  const words = `Sans réseau, dans ${name}`
  await tab.type('textarea', 'Votre message', words)
  await tab.tap('button', 'Envoyer')
  await shows(tab, '[data-message][data-state=queued], [data-message][data-state=sending]', words)
  await tab.go(`${proxy.url}/messages/${conversation}`)
  await shows(tab, '[data-message][data-state=queued], [data-message][data-state=sending]', words)
  await tab.go(`${proxy.url}/outbox`)
  await shows(tab, '[data-outbox]', words)
  await shows(tab, 'main', 'Gardez l’application ouverte')
  // The browser may restore the page from its back/forward cache, and its engine must answer again.
  await tab.ask(`() => (history.back(), null)`)
  await shows(tab, '[data-message][data-state=queued], [data-message][data-state=sending]', words)
  await holds(tab, 'an answer of the engine', ENGINE_ANSWERS)
  await tab.go(`${proxy.url}/settings`)
  const pushes =
    (await tab.ask(`() => 'PushManager' in window && 'Notification' in window`)) === true
  if (!pushes) await shows(tab, '[role=status]', 'notifications')

  await tab.go(`${proxy.url}/create-listing`)
  await tab.tap('label', 'Services')
  await tab.type('input', 'Titre', `Panier de ${name}`)
  await tab.pick(photo)
  await shows(tab, 'main [aria-label=Photos] li img')
  await holds(tab, 'the draft on the phone', DRAFT_KEPT, `Panier de ${name}`)
  await tab.go(`${proxy.url}/profile`)
  await tab.go(`${proxy.url}/create-listing`)
  await shows(tab, '[data-draft]', `Panier de ${name}`)
  await holds(tab, 'its photo', PHOTO_DRAWN)

  proxy.set('pass')
  await tab.go(`${proxy.url}/messages/${conversation}`)
  await shows(tab, '[data-message][data-state=sent], [data-message][data-state=read]', words)
  return arrived(words)
}

async function shows(tab: Tab, selector: string, words = ''): Promise<void> {
  await holds(tab, `${selector} “${words}”`, SHOWN, selector, words)
}

/** Waits until a function (JavaScript source) returns true in the page. */
async function holds(
  tab: Tab,
  what: string,
  source: string,
  ...args: readonly string[]
): Promise<void> {
  await until(what, async () =>
    (await tab.ask(source, ...args).catch(() => false)) === true ? true : null,
  )
}

/** Adds the state of the page to an error. */
async function withPage<T>(tab: Tab, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const page = JSON.stringify(await tab.ask(PAGE).catch(String), null, 1)
    throw new Error(`${String(error)}: ${page}`, { cause: error })
  }
}

/** Has the service worker cache every file of the build, and waits until it controls the page. */
async function kept(tab: Tab): Promise<void> {
  await tab.ask(KEEP_ALL)
  await holds(tab, 'all screens kept', ALL_KEPT)
}

const SHOWN = `(selector, words) =>
  [...document.querySelectorAll(selector)].some((one) => one.innerText.includes(words) || words === '')`

/** What a failure says about the page. */
const PAGE = `async () => ({
  address: location.href,
  page: { ...document.documentElement.dataset },
  text: document.body.innerText.slice(0, 600),
  engine: await Promise.race([
    globalThis.yaar.stats().catch(String),
    new Promise((resolve) => setTimeout(resolve, 5000, 'no answer in 5 s')),
  ]),
  databases: (await indexedDB.databases()).map(({ name, version }) => name + ' ' + version),
  locks: await navigator.locks.query(),
  serviceWorker: {
    controller: navigator.serviceWorker.controller?.state,
    registrations: (await navigator.serviceWorker.getRegistrations()).map((one) =>
      [one.installing?.state, one.waiting?.state, one.active?.state].join()),
    caches: await Promise.all((await caches.keys()).map(async (name) =>
      name + ' ' + (await (await caches.open(name)).keys()).length)),
  },
})`

const ENGINE_ANSWERS = `() => globalThis.yaar.stats().then(() => true, () => false)`

const NO_LOCK_PENDING = `async () => (await navigator.locks.query()).pending.length === 0`

/** Reads the database: text is stored 300 ms after a key, and a page load may come sooner. */
const DRAFT_KEPT = `(title) => new Promise((resolve, reject) => {
  const opening = indexedDB.open('yaar-phone')
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const reading = opening.result.transaction('drafts').objectStore('drafts').getAll()
    reading.onerror = () => reject(reading.error)
    reading.onsuccess = () => {
      opening.result.close()
      resolve(reading.result.some(({ fields, photos }) => fields.title === title && photos.length === 1))
    }
  }
})`

const PHOTO_DRAWN = `() => document.querySelector('[data-draft] img')?.naturalWidth > 0`

const KEEP_ALL = `async () => {
  const { active } = await navigator.serviceWorker.ready
  active.postMessage({ type: 'keep', files: 'all' })
  return null
}`

/** No page contains all file names of the build, but the service worker's script does. */
const ALL_KEPT = `async () => {
  if (!navigator.serviceWorker.controller) return false
  const script = await (await fetch('/sw.js')).text()
  const files = [...new Set(script.match(/assets\\/[\\w.-]+\\.(?:js|css)/g))]
  const held = await Promise.all(files.map((file) => caches.match('/' + file)))
  return files.length > 20 && held.every(Boolean)
}`
