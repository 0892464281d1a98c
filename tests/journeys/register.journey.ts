import { list, member, Person } from '../support/api.ts'
import { box, bubble, bubbles, strangers } from '../support/conversation.ts'
import { expect, fillRegistration, ready, signIn, test } from './device.ts'

const account = () => `nouveau${Date.now() % 1e8}`

/** What the seller received about a listing from a person. */
async function received(seller: Person, from: string): Promise<readonly unknown[]> {
  const conversations = list(await seller.ask('GET', 'conversations/'), 'results')
  const mine = conversations.find((one) => JSON.stringify(one).includes(from))
  if (mine === undefined) return []
  const id = String(member(mine, 'id'))
  return list(await seller.ask('GET', `conversations/${id}/messages/`), 'results').map((message) =>
    member(message, 'content'),
  )
}

test('[S13.12] [S2.25] a visitor’s message is sent once, when the account is there', async ({
  market,
  device,
}) => {
  const { seller, listing } = await strangers(market)
  const page = await device.open(`/listings/${listing}`)
  await ready(page)
  await page
    .getByRole('group', { name: 'Questions toutes prêtes' })
    .getByRole('button')
    .first()
    .tap()
  await expect(page.getByRole('link', { name: 'Je suis nouveau' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expect(box(page)).not.toHaveValue('')
  await box(page).fill('Bonjour, est-ce encore là ? Je suis à Ouaga.')
  // Kept on the device: a look at the other form loses nothing, nor does a reload.
  await page.getByRole('link', { name: 'J’ai un compte' }).click()
  await expect(box(page)).toHaveValue('Bonjour, est-ce encore là ? Je suis à Ouaga.')
  await page.getByRole('link', { name: 'Je suis nouveau' }).click()
  await expect(page.locator('section[data-kept]')).toBeVisible()
  await page.reload()
  await expect(box(page)).toHaveValue('Bonjour, est-ce encore là ? Je suis à Ouaga.')
  const name = account()
  await fillRegistration(page, name)
  await device.loseAnswer('**/api/conversations/start/')
  await page.getByRole('button', { name: 'Créer un compte' }).click()

  await expect(page).toHaveURL(/\/messages\//)
  await expect(bubble(page, 'Je suis à Ouaga')).toHaveAttribute('data-state', 'sent')
  await expect(bubbles(page)).toHaveCount(1)
  await expect(box(page)).toHaveValue('')
  await expect(page).toHaveURL(/\/messages\/(?!new-)/)
  expect(await received(seller, name)).toEqual(['Bonjour, est-ce encore là ? Je suis à Ouaga.'])
})

test('[S13.12] a visitor who goes away finds their words in the conversation, unsent', async ({
  market,
  device,
}) => {
  const { buyer, seller, listing } = await strangers(market)
  const page = await device.open(`/listings/${listing}`)
  await ready(page)
  await page.getByRole('button', { name: 'Envoyer un message' }).tap()
  await box(page).fill('Je réfléchis encore')
  await expect(page.locator('section[data-kept]')).toBeVisible()
  await page.getByRole('link', { name: 'Accueil', exact: true }).click()
  await expect(page).toHaveURL(`${device.url}/`)
  await signIn(page, device, buyer.username)
  await page.goto(`${device.url}/listings/${listing}`)
  await page.getByRole('button', { name: 'Envoyer un message' }).tap()
  await expect(page).toHaveURL(/\/messages\/new-/)
  await expect(box(page)).toHaveValue('Je réfléchis encore')
  await expect(bubbles(page)).toHaveCount(0)
  expect(await received(seller, buyer.username)).toEqual([])
})

test('[S13.11] errors leave as they are corrected, and a weak password is told what it lacks', async ({
  device,
}) => {
  const page = await device.open('/auth?mode=register')
  await ready(page)
  const username = page.getByRole('textbox', { name: 'Nom d’utilisateur' })
  const password = page.getByLabel('Mot de passe', { exact: true })
  await username.fill('vendeur')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('vendeur')
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  const email = page.getByText('Cette adresse e-mail n’est pas complète.')
  await expect(email).toBeVisible()
  await page.getByRole('textbox', { name: 'E-mail' }).fill('nouveau@example.com')
  await expect(email).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'E-mail' })).toBeFocused()

  const advice = page.getByRole('status').filter({ hasText: 'Force du mot de passe' })
  await password.fill('abc')
  await expect(advice).toContainText('6 caractères au moins')
  await password.fill('vendeur7')
  await expect(advice).toContainText('Il contient votre nom d’utilisateur')
  await password.fill('mangue7x')
  await expect(advice).toContainText('Moyen')
  await password.fill('mangue7x-karite')
  await expect(advice).toContainText('Fort')

  await page.getByLabel('Confirmer le mot de passe').fill('mangue7x-karite')
  await page.getByRole('button', { name: 'Créer un compte' }).click()
  await expect(username).toHaveAttribute('aria-invalid', 'true')
  await expect(username).toBeFocused()
  await username.press('End')
  await username.press('2')
  await expect(username).not.toHaveAttribute('aria-invalid')
})
