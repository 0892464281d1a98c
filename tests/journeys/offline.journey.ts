import type { Page } from '@playwright/test'
import { box, bubble, strangers, talk, write } from '../support/conversation.ts'
import { expect, holds, type Device, ready, settled, openSignedIn, test } from './device.ts'
import { toasted } from './toasts.ts'
import { Person, list, member, text } from '../support/api.ts'

test('[S2.28] [S4.23] offline, home, lists, listings and conversations seen before show after a restart', async ({
  deviceOnDisk: device,
}) => {
  let page = await openSignedIn(device, 'acheteur', '/')
  await ready(page)
  await page.goto(`${device.url}/listings`)
  await ready(page)
  // Rows stored by home show first, in their own order, until the server's list arrives.
  await expect(page.locator('[data-coverage="covered"], [data-coverage="partial"]')).toBeVisible()
  const card = page.locator('article[data-listing]').first()
  const title = await card.getByRole('heading').innerText()
  const id = await card.getAttribute('data-listing')
  await card.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.goto(`${device.url}/messages`)
  await page.locator('[data-conversation]').first().click()
  await expect(page.locator('[data-message]').first()).toBeVisible()
  await settled(page)

  device.proxy.set('cut')
  await device.close()
  page = await device.open('/')
  await ready(page)
  await expect(page.locator('article[data-listing]').first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'hors ligne' })).toBeVisible()
  await page.goto(`${device.url}/listings`)
  await expect(page.locator('article[data-listing]').first()).toBeVisible()
  await page.goto(`${device.url}/listings/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.goto(`${device.url}/messages`)
  await page.locator('[data-conversation]').first().click()
  await expect(page.locator('[data-message]').first()).toBeVisible()
})

test('[F03] [S2.32] offline, search and filters work over all local listings', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  const title = await page.locator('article[data-listing]').first().getByRole('heading').innerText()
  const word = title.split(/\s+/).find((one) => /^[\p{L}]{4,}$/u.test(one)) ?? title
  await settled(page)
  await holds(page, 'listings', 20)
  device.proxy.set('cut')
  const folded = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  await page.goto(`${device.url}/listings?search=${encodeURIComponent(folded)}`)
  await expect(page.locator('[data-coverage="phone"]')).toBeVisible()
  await expect(
    page
      .locator('article[data-listing]')
      .filter({ hasText: new RegExp(word, 'i') })
      .first(),
  ).toBeVisible()
  await page.goto(`${device.url}/listings?search=zzzzquelquechosedabsent`)
  await expect(page.getByText(/Rien d’enregistré ne correspond/)).toBeVisible()
})

test('[S5.06] [S4.23] messages written offline are sent once, in order, even after a restart', async ({
  market,
  deviceOnDisk: device,
}) => {
  const buyer = await new Person(market.url).signIn('acheteur')
  const conversation = text(list(await buyer.ask('GET', 'conversations/'), 'results')[0], 'id')
  let page = await openSignedIn(device, 'acheteur', `/messages/${conversation}`)
  await expect(page.locator('[data-message]').first()).toBeVisible()
  await settled(page)
  device.proxy.set('cut')
  const stamp = Date.now()
  const contents = [1, 2, 3].map((n) => `Hors ligne ${n} (${stamp})`)
  for (const one of contents) {
    await write(page, one)
    await expect(bubble(page, one)).toHaveAttribute('data-state', /queued|sending/)
  }
  await device.close()

  page = await device.open(`/messages/${conversation}`)
  for (const one of contents) await expect(bubble(page, one)).toBeVisible()
  device.proxy.set('lose-answers')
  await expect(bubble(page, contents[0] ?? '')).toBeVisible()
  device.proxy.set('pass')
  for (const one of contents)
    await expect(bubble(page, one)).toHaveAttribute('data-state', /sent|read/)

  const answer = await buyer.ask('GET', `conversations/${conversation}/messages/?page_size=10`)
  const sent = list(answer, 'results')
    .map((row) => member(row, 'content'))
    .filter((content) => String(content).includes(String(stamp)))
  expect(sent.toReversed()).toEqual(contents)
})

async function waiting(device: Device, username: string, conversation: string): Promise<Page> {
  const page = await openSignedIn(device, username, `/messages/${conversation}`)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await settled(page)
  device.proxy.set('cut')
  await write(page, 'Je passe mardi')
  await expect(inLine(page, 'En attente d’envoi')).toBeVisible()
  // Only a page that was offline says that it is back.
  await expect(page.locator('html')).toHaveAttribute('data-network', 'offline')
  return page
}

/** The link of the network line, with one waiting entry. */
const inLine = (page: Page, text: string) =>
  page.getByRole('status').getByRole('link', { name: `${text} (1)` })

const allSent = /tout est envoyé|Everything has been sent/
const toasts = async (page: Page): Promise<string> =>
  (await page.evaluate(() => globalThis.shownToasts))?.join(' ') ?? ''

test('[S2.28] [S2.44] "all sent" shows once the message left, not on a language change', async ({
  market,
  desktop,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await waiting(desktop, buyer.username, conversation)
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('appLanguage'))).toBe('en')
  await expect(inLine(page, 'Waiting to be sent')).toBeVisible()
  expect(await toasts(page)).not.toMatch(allSent)
  desktop.proxy.set('pass')
  await expect(bubble(page, 'Je passe mardi')).toHaveAttribute('data-state', /sent|read/)
  await toasted(page, 'Everything has been sent')
})

test('[S2.28] [S4.05] signing out with a waiting message never shows "all sent", nor to a visitor later', async ({
  market,
  desktop,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await waiting(desktop, buyer.username, conversation)
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Se déconnecter' }).click()
  await expect(page).toHaveURL(`${desktop.url}/`)
  await expect(page.getByRole('button', { name: 'Menu du compte' })).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: 'hors ligne' })).toBeVisible()
  desktop.proxy.set('pass')
  await expect(page.getByRole('status').filter({ hasText: 'hors ligne' })).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-network', 'online')
  expect(await toasts(page)).not.toMatch(allSent)
})

test('[S2.28] [S4.06] [S8.04] back online after the session ended, the app shows that, not "all sent"', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await waiting(device, buyer.username, conversation)
  await buyer.ask('DELETE', 'auth/sessions/')
  device.proxy.set('pass')
  await toasted(page, 'Session expirée')
  await expect(page.getByRole('button', { name: 'Menu du compte' })).toHaveCount(0)
  await expect(inLine(page, 'En attente d’envoi')).toBeVisible()
  expect(await toasts(page)).not.toMatch(allSent)
})

test('[S2.42] a conversation begun offline previews its last message in the list', async ({
  market,
  device,
}) => {
  const { buyer, listing } = await strangers(market)
  const page = await openSignedIn(device, buyer.username, `/listings/${listing}`)
  await ready(page)
  await settled(page)
  await page.getByRole('button', { name: 'Envoyer un message' }).click()
  await expect(box(page)).toBeVisible()
  device.proxy.set('cut')
  const last = page.locator('li [data-conversation]')
  await write(page, 'Bonjour, toujours là ?')
  await write(page, 'Je passe mardi')
  await page.getByRole('link', { name: 'Retour aux conversations' }).click()
  await expect(last).toContainText('Je passe mardi')
  await page.goto(`${device.url}/outbox`)
  await page
    .locator('[data-outbox]')
    .filter({ hasText: 'Je passe mardi' })
    .getByRole('button', { name: 'Supprimer' })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await page.goto(`${device.url}/messages`)
  await expect(last).toContainText('toujours là ?')
})
