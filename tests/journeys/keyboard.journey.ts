import { list, member, Person, text } from '../support/api.ts'
import { bubble, talk } from '../support/conversation.ts'
import { expect, holds, openSignedIn, ready, settled, signIn, test } from './device.ts'

test('[S2.23] opening a screen by keyboard moves the focus to its heading, and so does going back', async ({
  desktop,
}) => {
  const page = await desktop.open('/listings')
  await ready(page)
  const card = page.locator('article[data-listing]').first()
  const title = await card.getByRole('heading').innerText()
  await card.getByRole('link').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Annonces' })).toBeFocused()
  await signIn(page, desktop, 'acheteur', '/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Paramètres' })).toBeFocused()
})

test('[S2.23] a heading that comes late, or in place of another, gets the focus too', async ({
  desktop,
}) => {
  const page = await desktop.open('/listings')
  await ready(page)
  await settled(page)
  const heading = page.getByRole('heading', { level: 1 })
  await page.locator('article[data-listing] a').first().focus()
  await page.keyboard.press('Enter')
  const seller = page.getByRole('region', { name: 'Vendeur', exact: true }).getByRole('link')
  const shop = await seller.innerText()
  desktop.proxy.set('hang')
  await seller.focus()
  await page.keyboard.press('Enter')
  // It comes when the request has waited in vain.
  await expect(heading).toHaveText('Boutique')
  await expect(heading).toBeFocused()
  // Focused before: with a network the app also tries by itself.
  await page.getByRole('button', { name: 'Réessayer' }).first().focus()
  desktop.proxy.set('pass')
  await page.keyboard.press('Enter')
  await expect(heading).not.toHaveText('Boutique')
  expect(shop).toContain(await heading.innerText())
  await expect(heading).toBeFocused()
})

test('[S2.23] [S2.36] the first answer of the database leaves the focus in a list of the first HTML', async ({
  desktop,
}) => {
  const page = await desktop.open('/manifest.webmanifest')
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/worker-sync*', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${desktop.url}/listings`)
  await ready(page)
  // The list asks for more rows before the database has answered for the first ones.
  await expect.poll(() => page.evaluate('history.state?.rows ?? 0')).toBeGreaterThan(20)
  const card = page.locator('article[data-listing] a').first()
  await card.focus()
  release()
  await holds(page, 'listings', 40)
  await expect(page.locator('article[data-listing]').nth(39)).toBeAttached()
  await expect(card).toBeFocused()
})

test('[S2.22] [S8.12] a missing page shows so in a level-one heading', async ({ device }) => {
  const page = await device.open('/nulle/part')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Page introuvable')
  await page.goto(`${device.url}/listings/nulle-part`)
  await expect(heading).toHaveText('Annonce introuvable.')
  await signIn(page, device, 'acheteur', '/messages/nulle-part')
  await expect(heading).toHaveText('Conversation introuvable.')
})

test('[S2.42] after sending with the button the focus is in the box again', async ({
  market,
  desktop,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(desktop, buyer.username, `/messages/${conversation}`)
  const box = page.getByRole('textbox', { name: 'Votre message' })
  await box.fill('Toujours disponible ?')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Envoyer' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(bubble(page, 'Toujours disponible ?')).toBeVisible()
  await expect(box).toBeFocused()
})

test('[S2.37] the arrows of the gallery keep the focus at both ends', async ({
  market,
  desktop,
}) => {
  const several = list(
    await new Person(market.url).ask('GET', 'listings/?page_size=50'),
    'results',
  ).find((row) => Number(member(row, 'images_count')) > 1)
  const page = await desktop.open(`/listings/${text(several, 'id')}`)
  await ready(page)
  const next = page.getByRole('button', { name: 'Photo suivante' })
  await expect(next).toBeVisible()
  await next.focus()
  await expect(async () => {
    await page.keyboard.press('Enter')
    await expect(next).toBeDisabled({ timeout: 1000 })
  }).toPass()
  await expect(next).toBeVisible()
  await expect(next).toBeFocused()
})

test('[S2.32] Escape closes the suggestions and leaves the typed text', async ({ desktop }) => {
  const page = await desktop.open('/')
  await ready(page)
  const box = page.getByRole('searchbox', { name: 'Rechercher une annonce' })
  await box.pressSequentially('toyo')
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toHaveCount(0)
  await expect(box).toHaveValue('toyo')
})

test('[S2.36] [S3.05] [S13.55] the filters label a state as its category does', async ({
  desktop,
}) => {
  const page = await desktop.open('/listings')
  await ready(page)
  const states = page
    .getByRole('complementary', { name: 'Filtres' })
    .getByRole('group', { name: 'État' })
  await expect(states.getByRole('checkbox', { name: /^À rénover/ })).toBeVisible()
  await expect(states.getByRole('checkbox', { name: /^Occasion/ })).toBeVisible()
  await page.goto(`${desktop.url}/listings?category=properties&condition=used`)
  await expect(page.getByRole('button', { name: 'Retirer le filtre Bon état' })).toBeVisible()
  await expect(states.getByRole('checkbox', { name: /^Bon état/ })).toBeChecked()
})

test('[S2.44] with forced colours the pressed choice is visible', async ({ desktop }) => {
  const page = await desktop.open('/settings')
  await page.emulateMedia({ forcedColors: 'active' })
  const background = (name: string) =>
    page
      .getByRole('main')
      .getByRole('button', { name })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  await expect
    .poll(async () => (await background('Français')) === (await background('English')))
    .toBe(false)
})
