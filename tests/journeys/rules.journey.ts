import type { Page } from '@playwright/test'
import { SERVICE_WORKER_WAIT_MS } from '#schema/limits'
import { list, member, Person, text } from '../support/api.ts'
import { expect, ready, settled, openSignedIn, signIn, stats, test } from './device.ts'
import { holdTimers } from './timers.ts'
import { toasted } from './toasts.ts'

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('[S1.01] [S1.03] a visitor searches, opens a listing and its shop, and reads help and rules', async ({
  device,
}) => {
  const page = await device.open('/listings?category=electronics')
  await ready(page)
  const card = page.locator('article[data-listing]').first()
  const title = await card.getByRole('heading').innerText()
  await page.getByRole('searchbox', { name: 'Rechercher une annonce' }).fill(title)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/search=/)
  const found = page.locator('article[data-listing]').filter({ hasText: title }).first()
  await found.getByRole('link').first().click()
  await expect(heading(page, title)).toBeVisible()
  await page.getByRole('main').locator('a[href^="/shop/"]').first().click()
  await expect(page).toHaveURL(/\/shop\/[^/]+$/)
  await expect(page.locator('article[data-listing]').first()).toBeVisible()
  for (const [path, name] of [
    ['/help', /Aide/],
    ['/terms', /conditions/i],
    ['/privacy', /confidentialité|données/i],
  ] as const) {
    await page.goto(device.url + path)
    await expect(heading(page, name)).toBeVisible()
  }
})

test('[S3.20] [S4.04] local storage has its documented keys: session, language, searches, dismissals', async ({
  market,
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await page.getByRole('searchbox', { name: 'Rechercher une annonce' }).fill('mobylette')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/search=mobylette/)
  const name = `cles${Date.now() % 1e7}`
  await new Person(market.url).register(name)
  await signIn(page, device, name, '/settings')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(heading(page, 'Settings')).toBeVisible()
  const kept = await page.evaluate(() => ({ ...localStorage }))
  expect(kept['authToken']).toMatch(/^[\w-]{20,}$/)
  expect(kept).toMatchObject({
    appLanguage: 'en',
    recentSearches: '["mobylette"]',
    session_id: expect.stringMatching(/^[\w-]{8,64}$/),
  })
  // Signing in stores only the token: the account comes from the server.
  await page.goto(`${device.url}/profile`)
  await expect(page.getByRole('main').getByText(name).first()).toBeVisible()
})

test('[S3.20] a first visit shows one welcome, where it does not move the content', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  const welcome = page.getByText('Bienvenue', { exact: true })
  await welcome.scrollIntoViewIfNeeded()
  await expect(welcome).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('welcome_shown'))).toBe('1')
  await page.reload()
  await ready(page)
  await expect(page.getByRole('heading', { name: 'Comment ça marche' })).toBeAttached()
  await expect(welcome).toHaveCount(0)
})

test('[S2.14] a chosen theme persists: dark after a reload, whatever the system prefers', async ({
  device,
}) => {
  const page = await device.open('/settings')
  const html = page.locator('html')
  await page.getByRole('button', { name: 'Sombre' }).click()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await ready(page)
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('button', { name: 'Sombre' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Comme le téléphone' }).click()
  await page.reload()
  await ready(page)
  await expect(html).not.toHaveAttribute('data-theme')
})

test('[S5.03] [S9.32] a forgotten password reveals no accounts, and can be retried after the given wait', async ({
  device,
}) => {
  const page = await device.open('/forgot-password')
  const now = Date.now()
  await page.clock.setFixedTime(now)
  await page.getByRole('button', { name: 'Envoyer le lien' }).click()
  await expect(page.getByText('Saisissez votre e-mail ou votre nom d’utilisateur.')).toBeVisible()
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill('personne-de-connu')
  await page.getByRole('button', { name: 'Envoyer le lien' }).click()
  await expect(page.getByText(/Si un compte existe/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Renvoyer dans 60 s' })).toBeDisabled()
  // Another name has its own wait, so a typo can be corrected at once.
  await page
    .getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' })
    .fill('personne-de-connue')
  await expect(page.getByRole('button', { name: 'Envoyer le lien' })).toBeEnabled()
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill('personne-de-connu')
  await expect(page.getByRole('button', { name: 'Renvoyer dans 60 s' })).toBeDisabled()
  await page.clock.setFixedTime(now + 60_000)
  await expect(page.getByRole('button', { name: 'Renvoyer', exact: true })).toBeEnabled()
})

test('[S2.47] a report asks for a reason, and warns that abusing reports has consequences', async ({
  market,
  device,
}) => {
  const id = text(
    list(await new Person(market.url).ask('GET', 'listings/?page_size=1'), 'results')[0],
    'id',
  )
  const page = await device.open(`/listings/${id}`)
  await ready(page)
  await page.getByRole('main').getByRole('button', { name: 'Signaler' }).click()
  const form = page.getByRole('dialog', { name: 'Signaler' })
  await expect(form).toContainText('L’abus des signalements peut entraîner des restrictions.')
  await form.getByRole('button', { name: 'Envoyer le signalement' }).click()
  await expect(form.getByRole('group', { name: /^Que se passe/ })).toContainText(
    'Choisissez une raison.',
  )
  await expect(form.getByRole('textbox')).not.toHaveAttribute('aria-invalid')
  await form.getByRole('radio', { name: 'Autre raison' }).check()
  await form.getByRole('button', { name: 'Envoyer le signalement' }).click()
  await expect(form).toContainText('10 caractères au moins')
  await form.getByRole('radio', { name: /Publicité/ }).check()
  await form.getByRole('button', { name: 'Envoyer le signalement' }).click()
  await toasted(page, 'Merci. Votre signalement part dès que possible.')
})

test('[S8.17] [S9.17] notifications refused, offline or without a service worker explain what to do', async ({
  market,
  deviceOnDisk: device,
}) => {
  const name = `cloche${Date.now() % 1e7}`
  await new Person(market.url).register(name)
  const page = await openSignedIn(device, name, '/settings')
  const cdp = await device.context.newCDPSession(page)
  const permit = (setting: 'denied' | 'granted') =>
    cdp.send('Browser.setPermission', {
      permission: { name: 'notifications' },
      setting,
      origin: device.url,
    })
  await permit('denied')
  const toggle = page.getByRole('switch', { name: 'Notifications sur cet appareil' })
  await toggle.click()
  await expect(
    page.getByText('Notifications refusées. Autorisez-les dans les réglages du navigateur.'),
  ).toBeVisible()
  await permit('granted')
  device.proxy.set('cut')
  await toggle.click()
  await expect(page.getByText('Erreur réseau. Veuillez vérifier votre connexion')).toBeVisible()
  device.proxy.set('pass')
  const wait = await holdTimers(page, SERVICE_WORKER_WAIT_MS)
  await page.addInitScript(() =>
    Object.defineProperty(navigator.serviceWorker, 'ready', {
      value: new Promise(() => undefined),
    }),
  )
  await page.reload()
  await toggle.click()
  await expect(toggle).toBeDisabled()
  await wait.letGo()
  await expect(
    page.getByText('L’application n’est pas encore prête. Réessayez dans un instant.'),
  ).toBeVisible()
})

test('[S2.24] [S2.27] text at 200 % makes nothing wider than the screen, and cuts no navigation label', async ({
  market,
  device,
}) => {
  const page = await device.open('/')
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = '200%')),
  )
  const found = list(
    await new Person(market.url).ask('GET', 'listings/?category=vehicles&page_size=50'),
    'results',
  ).find((one) => member(one, 'has_phone') === true)
  const offer = `/listings/${text(found, 'id')}`
  const shop = `/shop/${text(member(await new Person(market.url).ask('GET', offer.slice(1) + '/'), 'seller'), 'slug')}`
  const screens = {
    fr: ['/', '/listings', '/settings', '/help', '/auth', '/saved', '/install', shop, offer],
    en: ['/', '/settings'],
  }
  for (const [language, paths] of Object.entries(screens)) {
    await page.evaluate((chosen) => localStorage.setItem('appLanguage', chosen), language)
    for (const path of paths) {
      await page.goto(device.url + path)
      await ready(page)
      const sizes = () =>
        page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement
          const cut = [...document.querySelectorAll<HTMLElement>('nav[aria-label] > a')].filter(
            (label) => label.scrollWidth > label.clientWidth,
          )
          return { over: scrollWidth - clientWidth, cut: cut.map(({ innerText }) => innerText) }
        })
      await expect.poll(sizes, path).toEqual({ over: 0, cut: [] })
      if (path === '/listings') {
        await page.getByRole('button', { name: 'Vue compacte' }).click()
        const amount = page.locator('article strong').first()
        await expect
          .poll(() => amount.evaluate((price) => price.scrollWidth - price.clientWidth))
          .toBe(0)
      }
      if (path === offer) {
        await page.getByRole('button', { name: 'Afficher le numéro' }).click()
        const call = page.locator('a[href^="tel:"]')
        await expect(call).toBeFocused()
        const end = await call.evaluate((link) => ({
          over: link.getBoundingClientRect().right - innerWidth,
          cut: link.scrollWidth - link.clientWidth,
        }))
        expect(end.over).toBeLessThan(0)
        expect(end.cut).toBe(0)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      }
    }
  }
})

test('reported data usage matches the network traffic, photos and the app itself included', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await settled(page)
  await page.evaluate(() => scrollTo({ top: 3000 }))
  let received = 0
  // Within 10 %: the page cannot know what the service worker's own start loaded.
  const share = async (): Promise<number> => {
    received += device.proxy.count().received
    return Number(member(member(await stats(page), 'bytes'), 'received')) / received
  }
  await expect.poll(share).toBeGreaterThan(0.9)
  expect(await share()).toBeLessThan(1.1)
})

test('[S8.12] while the server fails, screens show an error with a retry, and are never called empty', async ({
  market,
  device,
}) => {
  const [first] = list(await new Person(market.url).ask('GET', 'listings/?page_size=1'), 'results')
  const shop = text(member(first, 'seller'), 'slug')
  const page = await device.open('/help')
  await ready(page)
  await settled(page)
  let fails = true
  await device.context.route(/\/api\/(listings|shops|recommendations)\//, (route) =>
    fails ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue(),
  )
  for (const [path, message] of [
    ['/', 'Impossible de charger les annonces'],
    ['/listings', 'Impossible de charger les annonces'],
    [
      `/listings/${text(first, 'id')}`,
      'Impossible de charger l’annonce. Elle n’existe peut-être plus.',
    ],
    [`/shop/${shop}`, 'Impossible de charger la boutique.'],
  ] as const) {
    await page.goto(device.url + path)
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
    await expect(page.getByText('Aucune annonce ne correspond')).toHaveCount(0)
  }
  const retry = page.getByRole('alert').getByRole('button', { name: 'Réessayer' })
  await expect(retry).toBeVisible()
  fails = false
  const there = expect(page.locator('article[data-listing]').first()).toBeVisible()
  // The app also tries by itself, which may come before the tap.
  await Promise.race([retry.click(), there])
  await there
})
