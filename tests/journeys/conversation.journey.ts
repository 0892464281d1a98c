import { box, bubble, write } from '../support/conversation.ts'
import { expect, ready, signIn, test } from './phone.ts'
import { Person, list, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'

/** A listing of the demo's seller that one can write about, from the API. */
async function listingOf(market: Product, username: string): Promise<string> {
  const seller = await new Person(market.url).signIn(username)
  const page = await new Person(market.url).ask('GET', `listings/?seller=${seller.id}&page_size=1`)
  return text(list(page, 'results')[0], 'id')
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
  await expect(bubble(buyer, 'est-ce encore là')).toHaveAttribute('data-state', 'sent')

  const seller = await other.open('/')
  await signIn(seller, other, 'vendeur', '/messages')
  const row = seller.locator('[data-conversation]').filter({ hasText: name })
  await expect(row).toContainText('est-ce encore là')
  await row.click()
  await expect(bubble(seller, 'est-ce encore là')).toBeVisible()
  await expect(bubble(buyer, 'est-ce encore là')).toHaveAttribute('data-state', 'read')

  // Only who is there now hears of it, and for 6 s: the seller types until the buyer sees it.
  await expect(async () => {
    await box(seller).press('o')
    await expect(buyer.getByText(/est en train d’écrire/)).toBeVisible({ timeout: 2000 })
  }).toPass()
  await write(seller, 'Oui, passez demain.')
  await expect(bubble(buyer, 'passez demain')).toBeVisible()
  await expect(bubble(seller, 'passez demain')).toHaveAttribute('data-state', 'read')

  await buyer.goto(`${phone.url}/`)
  await ready(buyer)
  await write(seller, 'À quelle heure ?')
  await expect(buyer.getByRole('navigation').getByRole('link', { name: /^Messages.*1/ })).toBeVisible()
})

/** A phone so busy that its data worker hears of everything late. */
function deafWorker(): void {
  const post = Worker.prototype.postMessage
  Worker.prototype.postMessage = function (this: Worker, ...said: unknown[]): void {
    setTimeout(() => Reflect.apply(post, this, said), 700)
  }
}

test('[S2.42] what is typed and sent while the message before is still being stored follows it, once', async ({ market, phone }) => {
  const page = await phone.open('/')
  const name = `bavard${Date.now() % 1e6}`
  await new Person(market.url).register(name)
  await signIn(page, phone, name, `/listings/${await listingOf(market, 'vendeur')}`)
  await ready(page)
  await page.getByRole('button', { name: 'Envoyer un message' }).click()
  await write(page, 'Bonjour')
  await expect(bubble(page, 'Bonjour')).toHaveAttribute('data-state', 'sent')
  await page.addInitScript(deafWorker)
  await page.reload()
  await ready(page)
  await expect(bubble(page, 'Bonjour')).toBeVisible()

  await box(page).fill('Premier')
  const send = page.getByRole('button', { name: 'Envoyer', exact: true })
  await send.dblclick()
  await box(page).press('End')
  await box(page).pressSequentially(' puis second')
  await send.click()
  await expect(box(page)).toHaveValue('')
  await expect(page.locator('[data-message]')).toContainText(['Bonjour', /^Premier\D*\d/, /^puis second/])
  await expect(page.locator('[data-message]')).toHaveCount(3)
  await expect(bubble(page, 'puis second')).toHaveAttribute('data-state', 'sent')
})

test('[S2.42] a message that looks like a known fraud warns on the phone', async ({ market, phone }) => {
  const page = await phone.open('/')
  await signIn(page, phone, 'acheteur', `/listings/${await listingOf(market, 'vendeur')}`)
  await ready(page)
  await page.getByRole('button', { name: 'Envoyer un message' }).click()
  await box(page).fill('Envoyez le code pour confirmer')
  await expect(page.getByText(/Ne donnez jamais un code reçu par SMS/)).toBeVisible()
})
