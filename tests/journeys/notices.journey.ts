import type { Page } from '@playwright/test'
import { IOS_HINT_MS } from '#schema/limits'
import { list, member, Person, text } from '../support/api.ts'
import { rowsOf } from '../support/disk.ts'
import type { Product } from '../support/product.ts'
import { sight } from '../support/sight.ts'
import { controlled, expect, ready, settled, openSignedIn, signIn, stats, test } from './device.ts'
import { holdTimers } from './timers.ts'
import { toasted } from './toasts.ts'

async function talk(market: Product): Promise<{
  readonly buyer: Person
  readonly seller: Person
  readonly conversation: string
  readonly send: (content: string) => Promise<unknown>
}> {
  const seller = await new Person(market.url).signIn('vendeur')
  const buyer = await new Person(market.url).register(`signe${Date.now() % 1e7}`)
  const listing = text(
    list(await buyer.ask('GET', `listings/?seller=${seller.id}&page_size=1`), 'results')[0],
    'id',
  )
  const conversation = text(
    await buyer.ask('POST', 'conversations/start/', { listing_id: listing, content: 'Bonjour' }),
    'id',
  )
  const send = (content: string) =>
    seller.ask('POST', `conversations/${conversation}/messages/`, {
      content,
      client_id: crypto.randomUUID(),
    })
  return { buyer, seller, conversation, send }
}

/** Waits for the event cursor: later events come by the socket, not by a catch-up. */
async function caughtUp(page: Page): Promise<void> {
  await expect
    .poll(() => rowsOf(page, 'ownLists'))
    .toContainEqual(expect.objectContaining({ id: 'events', cursor: expect.stringMatching(/./) }))
}

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })

test('[S2.45] [S4.12] [S4.16] [S4.18] an event is announced once, counted, and leads to its subject', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer, conversation, send } = await talk(market)
  const page = await openSignedIn(device, buyer.username)
  await ready(page)
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  // The browser renders the icon's badge, so check the value it gets.
  await page.evaluate(() => {
    navigator.setAppBadge = (count) => {
      document.documentElement.dataset['appBadge'] = String(count)
      return Promise.resolve()
    }
  })
  // A catch-up announces nothing; the socket does.
  await caughtUp(page)
  await expect.poll(async () => member(await stats(page), 'socket')).toBe('open')
  await send('Toujours disponible.')
  await toasted(page, 'Nouveau message de vendeur')
  await expect(bell(page)).toHaveAccessibleName('Notifications 1 non lue')
  await expect(page.locator('html')).toHaveAttribute('data-app-badge', '1')

  await page.goto(`${device.url}/notifications`)
  const item = page.locator('main [data-notification]').first()
  await expect(item).toHaveAttribute('data-unread', '')
  await bell(page).click()
  await expect(
    page.getByRole('dialog', { name: 'Notifications' }).locator('[data-notification]'),
  ).toHaveCount(1)
  await page.keyboard.press('Escape')
  await item.getByRole('link').click()
  await expect(page).toHaveURL(`${device.url}/messages/${conversation}`)
  await page.goBack()
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await page.goto(`${device.url}/notifications`)
  await expect(item).not.toHaveAttribute('data-unread')
})

test('[S9.26] [S2.27] more than nine unread show as 9+', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer, send } = await talk(market)
  for (let n = 1; n <= 10; n++) await send(`Message ${n}`)
  const page = await openSignedIn(device, buyer.username)
  const messages = page
    .getByRole('navigation', { name: 'Navigation principale' })
    .getByRole('link', { name: /^Messages/ })
  await expect(messages).toContainText('9+')
})

test('[S4.24] the service worker shows, closes and opens notifications for the page', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer } = await talk(market)
  const page = await device.open('/')
  await device.context.grantPermissions(['notifications'])
  await signIn(page, device, buyer.username)
  await settled(page)
  const tell = (note: Record<string, unknown>) =>
    page.evaluate((message) => navigator.serviceWorker.controller?.postMessage(message), note)
  const shown = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(
        ({ title, tag }) => `${title} ${tag}`,
      ),
    )
  const payload = {
    id: 'N1',
    event: 'message.created',
    event_id: 'E1',
    title: 'Nouveau message',
    body: 'Bonjour',
    tag: 'message:C1',
    url: '/messages/C1',
    icon: null,
    image: null,
    badge_count: 1,
  }
  // A message is lost when the browser replaces the worker before it is read: each is repeated.
  const tellUntilShown = (note: Record<string, unknown>, expected: string[]) =>
    expect
      .poll(async () => {
        await tell(note)
        return shown()
      })
      .toEqual(expected)
  const tellUntilAt = (path: string) =>
    expect
      .poll(async () => {
        await tell({ type: 'nav', url: path })
        return page.url()
      })
      .toBe(device.url + path)
  await tellUntilShown({ type: 'notification:event', payload }, ['Nouveau message message:C1'])
  await tellUntilShown({ type: 'notification:mark-read', id: 'N1' }, [])
  await tellUntilAt('/help')
  await tell({ type: 'nav', url: 'https://example.com/' })
  await tellUntilAt('/terms')
})

test('[S4.22] [S9.27] the app checks for a new version every 30 minutes in sight, and updates when asked', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/help')
  await page.clock.install()
  await page.addInitScript(() => {
    const register = ServiceWorkerContainer.prototype.register
    // Once another version is there, the app registers that one.
    ServiceWorkerContainer.prototype.register = async function (...usual) {
      const registration = await register.apply(
        this,
        sessionStorage.getItem('next') === null ? usual : ['/sw.js?next'],
      )
      document.documentElement.dataset['registered'] = ''
      return registration
    }
    const update = ServiceWorkerRegistration.prototype.update
    ServiceWorkerRegistration.prototype.update = function (...nothing) {
      const { dataset } = document.documentElement
      dataset['looked'] = String(Number(dataset['looked'] ?? 0) + 1)
      return update.apply(this, nothing)
    }
  })
  await page.reload()
  await ready(page)
  await controlled(page)
  // The half hour begins when the service worker is registered.
  await expect(page.locator('html')).toHaveAttribute('data-registered', '')
  await page.clock.fastForward('29:00')
  await expect(page.locator('html')).not.toHaveAttribute('data-looked')
  await page.clock.fastForward('02:00')
  await expect(page.locator('html')).toHaveAttribute('data-looked', '1')
  await sight(page, 'hidden')
  await page.clock.fastForward('30:00')
  await sight(page, 'visible')
  await page.clock.fastForward('30:00')
  await expect(page.locator('html')).toHaveAttribute('data-looked', '2')

  // Another script is another version.
  await page.evaluate(async () => {
    sessionStorage.setItem('next', '')
    await navigator.serviceWorker.register('/sw.js')
  })
  const banner = page.getByRole('button', { name: 'Mettre à jour maintenant' })
  await expect(banner).toBeVisible()
  expect(
    await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL.endsWith('/sw.js')),
  ).toBe(true)
  await page.evaluate(() => (document.documentElement.dataset['old'] = ''))
  await banner.click()
  await expect(page.locator('html')).not.toHaveAttribute('data-old')
  await expect
    .poll(() =>
      page.evaluate(() => navigator.serviceWorker.controller?.scriptURL.endsWith('/sw.js?next')),
    )
    .toBe(true)
  await expect(banner).toHaveCount(0)
})

test('[S4.21] [S9.28] an iPhone shows how to install 1.5 s after the start, once', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/terms')
  const cdp = await device.context.newCDPSession(page)
  await cdp.send('Emulation.setUserAgentOverride', {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 ' +
      '(KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
  })
  const wait = await holdTimers(page, IOS_HINT_MS)
  // An iPhone never offers to install by itself, unlike this browser.
  await page.addInitScript(() =>
    addEventListener('beforeinstallprompt', (event) => event.stopImmediatePropagation()),
  )
  await page.goto(`${device.url}/`)
  await ready(page)
  const hint = page.getByText(/Pour installer\s: Partager/)
  await expect(hint).toHaveCount(0)
  await wait.letGo()
  await expect(hint).toBeVisible()
  await page.getByRole('complementary').getByRole('button', { name: 'Plus tard' }).click()
  await page.reload()
  await ready(page)
  expect(await wait.count()).toBe(0)
  await expect(hint).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('ios_a2hs_dismissed'))).toBe('1')
})

test('[S2.29] [S9.31] a bar shows while requests run, and stays 200 ms after the last', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/')
  await ready(page)
  const bar = page.locator('[data-loading-bar]')
  await expect(bar).not.toHaveAttribute('data-busy')
  const { promise: seen, resolve: see } = Promise.withResolvers<void>()
  await device.context.route(/\/api\/listings\/\?.*search=/, async (route) => {
    await seen
    await route.continue()
  })
  await page.getByRole('searchbox', { name: 'Rechercher une annonce' }).fill('jamais demandé')
  await page.keyboard.press('Enter')
  await expect(bar).toHaveAttribute('data-busy')
  see()
  await expect(bar).not.toHaveAttribute('data-busy')
  await expect(bar).toHaveCSS('transition-delay', '0.2s')
  await expect(bar).toHaveCSS('opacity', '0')
})

test('[S8.01] [S8.02] [S8.05] [S8.18] a failing network or server shows no toast where retries work', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await settled(page)
  const toasts = page.locator('body > #root > [role="log"]')
  for (const fault of ['broken', 'cut'] as const) {
    device.proxy.set(fault)
    await page.goto(`${device.url}/listings?search=velo`)
    await expect(page.locator('[data-coverage]')).toBeVisible()
    await page.getByRole('searchbox').fill('mo')
    await page.getByRole('searchbox').fill('mot')
    await expect(page.locator('html')).toHaveAttribute(
      'data-network',
      fault === 'cut' ? 'offline' : /online|weak|offline/,
    )
    await expect(toasts).toHaveText('')
  }
})

test('[S2.48] [S8.18] a screen that breaks shows so, is reported without typed text, and offers ways out', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/terms')
  await page.addInitScript(() => {
    Intl.PluralRules.prototype.select = () => {
      throw new Error('broken on purpose')
    }
  })
  const reported = page.waitForRequest(
    (request) =>
      request.url().endsWith('/api/rum/') && (request.postData() ?? '').includes('react-error'),
  )
  await page.goto(`${device.url}/listings`)
  await ready(page)
  await page.getByRole('button', { name: 'Filtrer' }).click()
  await expect(page.getByRole('heading', { name: 'Oups… une erreur est survenue' })).toBeVisible()
  expect((await reported).postData()).toContain('broken on purpose')
  for (const name of ['Recharger', 'Vider le cache et recharger'])
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  for (const name of ['Aller à l’accueil', 'Ouvrir les paramètres'])
    await expect(page.getByRole('link', { name })).toBeVisible()
  device.complaints.length = 0
})
