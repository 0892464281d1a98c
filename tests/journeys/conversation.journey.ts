import type { Page } from '@playwright/test'
import { expect, ready, signIn, test } from './phone.ts'
import { Person, list, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'

/** A listing of the demo's seller that one can write about, from the API. */
async function listingOf(market: Product, username: string): Promise<string> {
  const seller = await new Person(market.url).signIn(username)
  const page = await new Person(market.url).ask('GET', `listings/?seller=${seller.id}&page_size=1`)
  return text(list(page, 'results')[0], 'id')
}

const bubbles = (page: Page) => page.locator('[data-message]')
const write = async (page: Page, words: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Votre message' }).fill(words)
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click()
}

test('[S2.42] [S5.06] two people talk without reloading: bubbles, typing, read marks, badges', async ({ market, phone, other }) => {
  const buyer = await phone.open('/')
  const name = `acheteur${Date.now() % 1e6}`
  await new Person(market.url).register(name)
  const listing = await listingOf(market, 'vendeur')
  await signIn(buyer, phone, name, `/listings/${listing}`)
  await ready(buyer)
  await buyer.getByRole('button', { name: 'Envoyer un message' }).click()
  await write(buyer, 'Bonjour, est-ce encore là ?')
  await expect(bubbles(buyer).filter({ hasText: 'est-ce encore là' })).toHaveAttribute('data-state', 'sent')

  const seller = await other.open('/')
  await signIn(seller, other, 'vendeur', '/messages')
  const row = seller.locator('[data-conversation]').filter({ hasText: name })
  await expect(row).toContainText('est-ce encore là')
  await row.click()
  await expect(bubbles(seller).filter({ hasText: 'est-ce encore là' })).toBeVisible()
  await expect(bubbles(buyer).filter({ hasText: 'est-ce encore là' })).toHaveAttribute('data-state', 'read')

  await seller.getByRole('textbox', { name: 'Votre message' }).pressSequentially('Oui', { delay: 30 })
  await expect(buyer.getByText(/est en train d’écrire/)).toBeVisible()
  await write(seller, 'Oui, passez demain.')
  await expect(bubbles(buyer).filter({ hasText: 'passez demain' })).toBeVisible()
  await expect(bubbles(seller).filter({ hasText: 'passez demain' })).toHaveAttribute('data-state', 'read')

  await buyer.goto(`${phone.url}/`)
  await ready(buyer)
  await write(seller, 'À quelle heure ?')
  await expect(buyer.getByRole('navigation').getByRole('link', { name: /^Messages.*1/ })).toBeVisible()
})

test('[S2.42] a message that looks like a known fraud warns on the phone', async ({ market, phone }) => {
  const page = await phone.open('/')
  await signIn(page, phone, 'acheteur', `/listings/${await listingOf(market, 'vendeur')}`)
  await ready(page)
  await page.getByRole('button', { name: 'Envoyer un message' }).click()
  await page.getByRole('textbox', { name: 'Votre message' }).fill('Envoyez le code pour confirmer')
  await expect(page.getByText(/Ne donnez jamais un code reçu par SMS/)).toBeVisible()
})
