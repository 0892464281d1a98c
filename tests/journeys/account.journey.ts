import type { Page } from '@playwright/test'
import { Person } from '../support/api.ts'
import { bubble, talk } from '../support/conversation.ts'
import { expect, fillRegistration, ready, settled, openSignedIn, signIn, test } from './device.ts'

test('[S2.23] a protected page restores path, query and hash after signing in', async ({
  device,
}) => {
  const page = await device.open('/messages?search=moto#haut')
  await expect(page).toHaveURL(/\/auth\?.*mode=login/)
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill('acheteur')
  await page.getByLabel('Mot de passe', { exact: true }).fill('marche2026')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page).toHaveURL(`${device.url}/messages?search=moto#haut`)
})

test('[S2.25] [S2.34] registering from the post button leads to the wizard', async ({ device }) => {
  const page = await device.open('/')
  await ready(page)
  await page.getByRole('banner').getByRole('link', { name: 'Publier une annonce' }).click()
  await expect(page).toHaveURL(/\/auth\?mode=register&next=(%2F|\/)create-listing/)
  const name = `nouveau${Date.now() % 1e6}`
  await page.getByRole('textbox', { name: 'Nom d’utilisateur' }).fill(name)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(`${name}@example.com`)
  await page.getByLabel('Mot de passe', { exact: true }).fill('marche2026')
  await page.getByLabel('Confirmer le mot de passe').fill('marche2027')
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect(page.getByText('les mots de passe ne correspondent pas')).toBeVisible()
  await page.getByLabel('Confirmer le mot de passe').fill('marche2026')
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect(page).toHaveURL(`${device.url}/create-listing`)
})

test('[S2.34] [S8.08] registering again after a lost answer signs in, without a "name taken" error', async ({
  device,
}) => {
  const page = await device.open('/auth?mode=register')
  await ready(page)
  const name = `perdu${Date.now() % 1e6}`
  await fillRegistration(page, name)
  await device.loseAnswer('**/api/auth/register/')
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect(page.getByText('Erreur réseau. Veuillez vérifier votre connexion')).toBeVisible()
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect(page).toHaveURL(`${device.url}/`)
  await expect(page.getByRole('button', { name: 'Menu du compte' })).toBeVisible()
})

test('[S8.07] [S5.02] a wrong password shows an error under the form and keeps the name', async ({
  device,
}) => {
  const page = await device.open('/auth?mode=login')
  await page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' }).fill('acheteur')
  await page.getByLabel('Mot de passe', { exact: true }).fill('autrechose')
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await expect(page.getByText('Échec de la connexion. Vérifiez vos identifiants.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' })).toHaveValue(
    'acheteur',
  )
})

test('[F21] [S4.05] [S4.03] data of one person is not shown to the next on the same device', async ({
  device,
}) => {
  const page = await openSignedIn(device, 'acheteur', '/messages')
  await expect(page.locator('[data-conversation]').first()).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Rechercher une annonce' })
  await search.fill('pagne')
  await search.press('Enter')
  await expect(page).toHaveURL(/search=pagne/)
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page
    .getByRole('menuitem', { name: 'Se déconnecter' })
    .or(page.getByRole('button', { name: 'Se déconnecter' }))
    .first()
    .click()
  await expect(page).toHaveURL(`${device.url}/`)
  await settled(page)
  device.proxy.set('cut')
  await page.goto(`${device.url}/messages`)
  await expect(page).toHaveURL(/\/auth/)
  await expect(page.locator('[data-conversation]')).toHaveCount(0)
  device.proxy.set('pass')
  await signIn(page, device, 'moderateur', '/messages')
  await ready(page)
  await expect(page.locator('[data-conversation]')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('recentSearches'))).toBeNull()
})

async function leave(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu du compte' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
}

test('[S4.05] signing out on a dead network and closing the app at once signs out', async ({
  deviceOnDisk: device,
}) => {
  let page = await openSignedIn(device, 'acheteur', '/messages')
  await expect(page.locator('[data-conversation]').first()).toBeVisible()
  await settled(page)
  device.proxy.set('hang')
  // Before the request to a silent server times out, however slow both are.
  const order: string[] = []
  page.on('framenavigated', () => order.push('left'))
  page.on('requestfailed', (request) => {
    if (request.url().endsWith('/api/auth/logout/')) order.push('no answer')
  })
  await leave(page)
  await expect(page.getByRole('button', { name: 'Menu du compte' })).toHaveCount(0)
  await expect.poll(() => order[0]).toBe('left')
  await device.close()
  device.proxy.set('pass')
  page = await device.open('/messages')
  await ready(page)
  await expect(page).toHaveURL(/\/auth\?/)
  await expect(page.locator('[data-conversation]')).toHaveCount(0)
})

test('[S4.05] [S2.23] signing out ends the server session, and a chat in another tab asks to sign in', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, '/')
  const chat = await device.open(`/messages/${conversation}`)
  await expect(bubble(chat, 'Bonjour')).toBeVisible()
  buyer.token = (await page.evaluate(() => localStorage.getItem('authToken'))) ?? ''
  await page.bringToFront()
  await leave(page)
  await expect(page).toHaveURL(`${device.url}/`)
  await expect(chat).toHaveURL(`${device.url}/auth?mode=login&next=/messages/${conversation}`)
  await expect(chat.getByRole('heading', { level: 1, name: 'Se connecter' })).toBeVisible()
  await expect(async () =>
    expect(buyer.ask('GET', 'conversations/')).rejects.toThrow('401'),
  ).toPass()

  await signIn(page, device, buyer.username, '/profile')
  await expect(bubble(chat, 'Bonjour')).toBeVisible()
  await buyer.signIn(buyer.username)
  await buyer.ask('DELETE', 'auth/sessions/')
  await expect(page).toHaveURL(`${device.url}/auth?mode=login&next=/profile`)
})

test('[S2.35] [S8.10] a mistyped e-mail address is changed with the password, and must be verified again', async ({
  market,
  device,
}) => {
  const name = `mail${Date.now() % 1e8}`
  await new Person(market.url).register(name)
  const page = await openSignedIn(device, name, '/settings')
  await page.getByRole('button', { name: 'Changer l’adresse e-mail' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changer l’adresse e-mail' })
  const address = dialog.getByRole('textbox', { name: 'Nouvelle adresse e-mail' })
  const change = dialog.getByRole('button', { name: 'Changer l’adresse e-mail' })
  await address.fill('awa@')
  await change.click()
  await expect(dialog.getByText('Cette adresse e-mail n’est pas complète.')).toBeVisible()
  await expect(address).toBeFocused()
  await address.fill('vendeur@example.com')
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('marche2026')
  await change.click()
  await expect(dialog.getByText('Cette adresse e-mail est déjà utilisée.')).toBeVisible()
  await address.fill(`${name}@example.bf`)
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('autre-mot')
  await change.click()
  await expect(dialog.getByLabel('Mot de passe', { exact: true })).toBeFocused()
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('marche2026')
  await change.click()
  await expect(dialog).toBeHidden()
  await page.goto(`${device.url}/profile`)
  await expect(page.getByText(`${name}@example.bf · non vérifié`)).toBeVisible()
})
