import { expect, ready, openSignedIn, signIn, test } from './device.ts'
import { touches } from './touches.ts'

test('[S2.05, S2.14, S2.15, S2.16, S2.17, S2.18, S2.19, S2.20, S2.21] each public address opens its screen', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  for (const [path, heading] of [
    ['/browse', /Annonces/],
    ['/settings', /Paramètres/],
    ['/help', /Aide/],
    ['/auth?mode=login', /connecter/i],
    ['/forgot-password', /mot de passe/i],
    ['/reset-password', /mot de passe/i],
    ['/verify-email', /e-mail/i],
    ['/install', /Install/],
    ['/support/add-to-home', /écran d’accueil/],
    ['/privacy', /confidentialité|données/i],
    ['/terms', /conditions/i],
  ] as const) {
    await page.goto(device.url + path)
    await expect(page.getByRole('heading', { level: 1, name: heading }).first(), path).toBeVisible()
  }
  await page.goto(`${device.url}/nulle-part`)
  await expect(page.getByText(/n’existe pas/).first()).toBeVisible()
})

test('[S2.02] [S2.22] old addresses redirect', async ({ device }) => {
  const page = await device.open('/recommendations?type=trending')
  await expect(page).toHaveURL(`${device.url}/#trending`)
  for (const [from, to] of [
    ['/recommendations', '/'],
    ['/categories', '/listings'],
    ['/safety', '/help#safety'],
  ] as const) {
    await page.goto(device.url + from)
    await expect(page).toHaveURL(device.url + to)
  }
})

test('[S2.06] [S2.07] [S2.08] [S2.10] [S2.11] [S2.12] [S6.02] personal pages ask visitors to sign in', async ({
  device,
}) => {
  const page = await device.open('/')
  for (const path of [
    '/create-listing',
    '/dashboard',
    '/shop',
    '/messages',
    '/notifications',
    '/profile',
  ]) {
    await page.goto(device.url + path)
    await expect(page, path).toHaveURL(
      new RegExp(`/auth\\?mode=login&next=${path.replace('/', '(%2F|/)')}`),
    )
  }
})

test('[S2.27] [S9.30] the bottom navigation has six items on a phone, and none in a wide window', async ({
  device,
  desktop,
}) => {
  const page = await device.open('/')
  await ready(page)
  const nav = page.getByRole('navigation', { name: 'Navigation principale' })
  for (const name of ['Accueil', 'Catégories', 'Vendre', /^Messages/, 'Connexion', 'Paramètres'])
    await expect(nav.getByRole('link', { name })).toBeVisible()
  const wide = await desktop.open('/')
  await ready(wide)
  await expect(wide.getByRole('navigation', { name: 'Navigation principale' })).toBeHidden()
})

test('[S2.24] [S2.26] the header and the footer of a wide window; no footer under a conversation', async ({
  desktop,
}) => {
  const page = await desktop.open('/')
  await ready(page)
  const header = page.getByRole('banner')
  await expect(header.getByRole('searchbox', { name: 'Rechercher une annonce' })).toBeVisible()
  await expect(header.getByRole('combobox', { name: 'Catégorie' })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Publier une annonce' })).toBeVisible()
  await expect(header.getByRole('link', { name: 'Se connecter' })).toBeVisible()
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('button', { name: 'EN' })).toBeVisible()
  await footer.getByRole('button', { name: 'EN' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await footer.getByRole('button', { name: 'FR' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await signIn(page, desktop, 'acheteur', '/messages')
  await expect(page.locator('[data-conversation]').first()).toBeVisible()
  await expect(footer).toHaveCount(0)
})

test('[S2.30] [S2.31] [S9.25] the account menu shows its entries, the bell at most six notifications', async ({
  device,
}) => {
  const page = await openSignedIn(device, 'vendeur')
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  for (const name of [
    'Mes annonces',
    'Messages',
    'Favoris',
    'Profil',
    'Paramètres',
    'English',
    'Aide',
    'Se déconnecter',
  ]) {
    await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await expect(panel).toBeVisible()
  expect(await panel.locator('[data-notification]').count()).toBeLessThanOrEqual(6)
})

test('[S2.14] [S2.27] a double tap on what closes a dialog presses nothing behind it', async ({
  device,
}) => {
  const page = await device.open('/settings')
  await ready(page)
  await page.getByRole('button', { name: 'Vider le cache' }).tap()
  const close = page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' })
  // It has eased in, and nothing covers it.
  await close.tap({ trial: true })
  const box = await close.boundingBox()
  if (!box) throw new Error('nothing to tap on')
  // Records clicks behind the dialog, and cancels them.
  await page.evaluate(() =>
    document.addEventListener('click', (event) => {
      if (event.target instanceof Element && event.target.closest('dialog') === null)
        document.body.dataset['pressed'] = event.target.tagName
      event.preventDefault()
    }),
  )
  const touch = await touches(page)
  for (let taps = 0; taps < 2; taps++) {
    await touch([[box.x + box.width / 2, box.y + box.height - 8]])
    await touch([])
  }
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.locator('body')).not.toHaveAttribute('data-pressed')
})
