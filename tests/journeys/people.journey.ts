import type { Page } from '@playwright/test'
import { MESSAGE_MAX } from '#schema/limits'
import { list, member, Person, text } from '../support/api.ts'
import { box, bubble, talk, write } from '../support/conversation.ts'
import { faultless } from './faultless.ts'
import { expect, ready, settled, openSignedIn, signIn, test } from './device.ts'

test('[F02] a waiting message can be changed and removed, and shows why it waits', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await settled(page)
  device.proxy.set('cut')
  // An attempted message may have arrived; one written once the app is offline can be edited.
  await write(page, 'Un instant')
  await expect(page.locator('html')).toHaveAttribute('data-network', 'offline')
  await write(page, 'Je passe mardi')
  await write(page, 'Ou jamais')
  await page.goto(`${device.url}/outbox`)
  const entry = (text: string) => page.locator('[data-outbox]').filter({ hasText: text })
  await expect(entry('Je passe mardi')).toHaveAttribute('data-state', 'waiting')
  await expect(entry('Je passe mardi')).toContainText('En attente du réseau.')
  await expect(entry('Je passe mardi')).toContainText('moins de 1\u00a0F\u00a0CFA')

  await entry('Je passe mardi').getByRole('button', { name: 'Modifier' }).click()
  // At most as long as may be sent [API 5.3].
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .fill('x'.repeat(MESSAGE_MAX + 1))
  await expect(page.getByRole('dialog')).toContainText(`${MESSAGE_MAX + 1}/${MESSAGE_MAX}`)
  await expect(page.getByRole('button', { name: 'Enregistrer' })).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill('Je passe jeudi')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(entry('Je passe jeudi')).toBeVisible()
  await entry('Ou jamais').getByRole('button', { name: 'Supprimer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect(entry('Ou jamais')).toHaveCount(0)

  device.proxy.set('pass')
  await expect(page.getByRole('main').getByText('Tout est envoyé.')).toBeVisible()
  const answer = await buyer.ask('GET', `conversations/${conversation}/messages/`)
  expect(list(answer, 'results').map((row) => text(row, 'content'))).toEqual([
    'Je passe jeudi',
    'Un instant',
    'Bonjour',
  ])
})

test('[S8.13] a refused message stays with its reason, and leaving shows a warning', async ({
  market,
  device,
}) => {
  const { buyer, seller, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await settled(page)
  device.proxy.set('cut')
  await write(page, 'Encore là ?')
  await seller.ask('POST', 'blocks/', { user_id: buyer.id })
  device.proxy.set('pass')
  await expect(bubble(page, 'Encore là ?')).toHaveAttribute('data-state', 'refused')
  await expect(page.getByText('Vous ne pouvez pas écrire à cet utilisateur.').first()).toBeVisible()
  for (const name of ['Réessayer', 'Modifier', 'Supprimer'])
    await expect(page.getByRole('log').getByRole('button', { name })).toBeVisible()

  await page.goto(`${device.url}/profile`)
  await page.getByRole('main').getByRole('button', { name: 'Se déconnecter' }).click()
  const warning = page.getByRole('alertdialog')
  await expect(warning).toContainText('1 envoi n’est pas encore parti.')
  await warning.getByRole('button', { name: 'Se déconnecter' }).click()
  await expect(page).toHaveURL(`${device.url}/`)
  await page.goto(`${device.url}/outbox`)
  await expect(page.getByRole('main').getByText('Tout est envoyé.')).toBeVisible()

  await signIn(page, device, buyer.username, '/outbox')
  await expect(page.locator('[data-outbox]').filter({ hasText: 'Encore là ?' })).toHaveAttribute(
    'data-state',
    'refused',
  )
})

test('a text being typed is in the box again after a restart, and gone once it is sent', async ({
  market,
  deviceOnDisk: device,
}) => {
  const { buyer, conversation } = await talk(market)
  let page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await settled(page)
  await box(page).pressSequentially('Je réfléchis encore')
  await expect(page.locator('form[data-kept]')).toBeVisible()
  await device.close()

  page = await device.open(`/messages/${conversation}`)
  await expect(box(page)).toHaveValue('Je réfléchis encore')
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click()
  await expect(bubble(page, 'Je réfléchis encore')).toHaveAttribute('data-state', 'sent')
  await expect(box(page)).toHaveValue('')
  await page.reload()
  await expect(bubble(page, 'Je réfléchis encore')).toHaveCount(1)
  await expect(box(page)).toHaveValue('')
})

test('[S2.42] a draft sent in one tab leaves the box of the other, and a later draft shows there', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const one = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await expect(bubble(one, 'Bonjour')).toBeVisible()
  const two = await device.open(`/messages/${conversation}`)
  await expect(bubble(two, 'Bonjour')).toBeVisible()
  await box(one).pressSequentially('Je passe demain')
  await expect(box(two)).toHaveValue('Je passe demain')
  await two.getByRole('button', { name: 'Envoyer', exact: true }).click()
  await expect(bubble(one, 'Je passe demain')).toHaveAttribute('data-state', 'sent')
  await expect(box(one)).toHaveValue('')
  await box(one).pressSequentially('À midi')
  await expect(box(two)).toHaveValue('À midi')
  await box(two).fill('\u200b\u2060')
  await expect(two.getByRole('button', { name: 'Envoyer', exact: true })).toBeDisabled()
})

test('[S2.42] older messages load without a gap, and new ones wait behind a pill while one reads', async ({
  market,
  device,
}) => {
  const seller = await new Person(market.url).signIn('vendeur')
  const buyer = await new Person(market.url).signIn('acheteur')
  // The demo's conversation of 120 messages, whatever other journeys began meanwhile.
  const known = list(await buyer.ask('GET', 'conversations/'), 'results').toSorted(
    (a, b) => Number(member(b, 'last_seq')) - Number(member(a, 'last_seq')),
  )
  const conversation = text(known[0], 'id')
  const page = await openSignedIn(device, 'acheteur', `/messages/${conversation}`)
  const log = page.getByRole('log', { name: 'Messages' })
  await expect(log.locator('[data-message]').first()).toBeVisible()
  const all = Number(member(await buyer.ask('GET', `conversations/${conversation}/`), 'last_seq'))
  await expect(async () => {
    await log.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }))
    expect(await log.locator('[data-message]').count()).toBe(all)
  }).toPass()
  await expect(log.locator('[data-gap]')).toHaveCount(0)

  await log.evaluate((element) => element.scrollTo({ top: -1200 }))
  await expect(page.getByRole('button', { name: 'Aller en bas' })).toBeVisible()
  for (const content of ['un', 'deux', 'et la dernière'])
    await seller.ask('POST', `conversations/${conversation}/messages/`, {
      content,
      client_id: crypto.randomUUID(),
    })
  await page.getByRole('button', { name: '3 nouveaux messages' }).click()
  await expect(bubble(page, 'et la dernière')).toBeInViewport()
})

test('[S2.10] [S2.27] [S2.42] a chat’s back arrow, the bottom navigation and the menu open the list', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  const nav = page.getByRole('navigation', { name: 'Navigation principale' })
  const row = page.locator(`a[data-conversation="${conversation}"]`)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await page.getByRole('link', { name: 'Retour aux conversations' }).click()
  await expect(page).toHaveURL(`${device.url}/messages`)
  await expect(row).toBeVisible()
  await nav.getByRole('link', { name: 'Accueil' }).click()
  await expect(page).toHaveURL(`${device.url}/`)
  await nav.getByRole('link', { name: 'Messages' }).click()
  await row.click()
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  // A conversation on a phone has no header.
  await page.setViewportSize({ width: 1000, height: 700 })
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page.getByRole('menuitem', { name: 'Messages' }).click()
  await expect(page).toHaveURL(`${device.url}/messages`)
  await expect(row).toBeVisible()
  await page.goto(`${device.url}/messages/personne`)
  await page.getByRole('link', { name: 'Toutes les conversations' }).click()
  await expect(row).toBeVisible()
})

test('[F07] [S2.42] blocking ends the chat on both sides, and is undone in the settings', async ({
  market,
  device,
}) => {
  const { buyer, seller, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await page.getByRole('button', { name: 'Actions de la conversation' }).click()
  await page.getByRole('menuitem', { name: 'Bloquer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Bloquer' }).click()
  await expect(page.getByText('Vous avez bloqué cette personne.')).toBeVisible()
  await expect(box(page)).toHaveCount(0)
  await expect(async () => {
    await expect(
      seller.ask('POST', `conversations/${conversation}/messages/`, {
        content: 'Non ?',
        client_id: crypto.randomUUID(),
      }),
    ).rejects.toThrow('403')
  }).toPass()

  await page.goto(`${device.url}/settings`)
  await page.getByRole('button', { name: /^Débloquer/ }).click()
  await expect(page.getByText('Vous n’avez bloqué personne.')).toBeVisible()
  await page.goto(`${device.url}/messages/${conversation}`)
  await expect(box(page)).toBeVisible()
})

test('[S2.42] a deleted account is named so in the chat, the list and the title, in the reader’s language', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  await buyer.ask('DELETE', 'auth/me/', { current_password: 'marche2026' })
  const page = await openSignedIn(device, 'vendeur', `/messages/${conversation}`)
  await expect(page.getByRole('heading', { name: 'Compte supprimé' })).toBeVisible()
  await expect(page).toHaveTitle(/^Compte supprimé/)
  await page.evaluate(() => localStorage.setItem('appLanguage', 'en'))
  await page.goto(`${device.url}/messages`)
  await expect(page.locator(`a[data-conversation="${conversation}"]`)).toContainText(
    'Deleted account',
  )
})

test('[S2.42] the last remaining character of a message is counted in the singular', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await box(page).fill('a'.repeat(MESSAGE_MAX - 1))
  await expect(page.getByText('Encore 1 caractère', { exact: true })).toBeVisible()
  await box(page).fill('a'.repeat(MESSAGE_MAX + 1))
  await expect(page.getByText('1 caractère de trop', { exact: true })).toBeVisible()
})

test('[S2.44] [S9.06] settings switch the language at once, and remember what was chosen', async ({
  device,
}) => {
  const page = await openSignedIn(device, 'acheteur', '/settings')
  await page.getByRole('switch', { name: 'Ne pas sonner la nuit' }).click()
  await expect(page.getByLabel('De', { exact: true })).toHaveValue('22:00')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.reload()
  await expect(page.getByRole('switch', { name: 'No sound at night' })).toBeChecked()
  await page.getByRole('button', { name: 'Français' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Paramètres' })).toBeVisible()
})

test('[S2.35] [S8.09] [S8.10] an invalid link shows what is wrong with it', async ({ device }) => {
  const page = await device.open('/verify-email')
  await expect(page.getByText('Lien invalide. Paramètres manquants.')).toBeVisible()
  await page.goto(`${device.url}/verify-email?uid=U1&token=personne`)
  await expect(page.getByText('Lien invalide ou expiré.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Profil' })).toHaveAttribute(
    'href',
    '/profile',
  )
  await page.goto(`${device.url}/reset-password?uid=U1&token=personne`)
  await page.getByLabel('Nouveau mot de passe').fill('mangue-7x')
  await page.getByLabel('Confirmer le mot de passe').fill('mangue-7x')
  await page.getByRole('button', { name: 'Changer le mot de passe' }).click()
  await expect(
    page.getByText('Impossible de mettre à jour le mot de passe. Le lien peut être expiré.'),
  ).toBeVisible()
})

const open = [
  '/auth',
  '/auth?mode=register',
  '/forgot-password',
  '/help',
  '/settings',
  '/saved',
  '/outbox',
  '/install',
  '/support/add-to-home',
  '/privacy',
  '/terms',
]
const own = ['/messages', '/notifications', '/profile', '/settings']

test('axe finds no accessibility violation', async ({ device, desktop }) => {
  test.slow()
  const small = await device.open('/')
  await allFaultless(small, device.url, open)
  await signIn(small, device, 'acheteur', '/messages')
  await allFaultless(small, device.url, own)
  const wide = await desktop.open('/')
  await wide.emulateMedia({ colorScheme: 'dark' })
  await signIn(wide, desktop, 'acheteur', '/messages')
  await allFaultless(wide, desktop.url, [...new Set([...own, ...open.slice(2)])])
})

async function allFaultless(page: Page, url: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(url + path)
    await ready(page)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await faultless(page)
  }
}
