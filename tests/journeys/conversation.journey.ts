import { box, bubble, talk, write } from '../support/conversation.ts'
import { expect, Device, ready, openSignedIn, signIn, test } from './device.ts'
import { Person, list, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'

async function listingOf(market: Product, username: string): Promise<string> {
  const seller = await new Person(market.url).signIn(username)
  const page = await new Person(market.url).ask('GET', `listings/?seller=${seller.id}&page_size=1`)
  return text(list(page, 'results')[0], 'id')
}

test('[S2.42] above a keyboard a long message stays in its box, and can be sent', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await page.setViewportSize({ width: 360, height: 300 })
  await box(page).fill(Array.from({ length: 8 }, (_, line) => `Ligne ${line + 1}`).join('\n'))
  await expect(box(page)).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Envoyer', exact: true }).click()
  await expect(bubble(page, 'Ligne 8')).toBeVisible()
})

test('[S2.42] [S5.06] two people chat without reloading: bubbles, typing, read receipts, badges', async ({
  market,
  device,
  other,
}) => {
  const buyer = await device.open('/')
  const name = `acheteur${Date.now() % 1e6}`
  await new Person(market.url).register(name)
  const listing = await listingOf(market, 'vendeur')
  await signIn(buyer, device, name, `/listings/${listing}`)
  await ready(buyer)
  await buyer.getByRole('button', { name: 'Envoyer un message' }).click()
  await write(buyer, 'Bonjour, est-ce encore là ?')
  await expect(bubble(buyer, 'est-ce encore là')).toHaveAttribute('data-state', 'sent')

  const seller = await openSignedIn(other, 'vendeur', '/messages')
  const row = seller.locator('[data-conversation]').filter({ hasText: name })
  await expect(row).toContainText('est-ce encore là')
  await row.click()
  await expect(bubble(seller, 'est-ce encore là')).toBeVisible()
  await expect(bubble(buyer, 'est-ce encore là')).toHaveAttribute('data-state', 'read')

  // Typing events last 6 s and reach connected people only, so type until the buyer sees one.
  await expect(async () => {
    await box(seller).press('o')
    await expect(buyer.getByText(/est en train d’écrire/)).toBeVisible({ timeout: 2000 })
  }).toPass()
  await write(seller, 'Oui, passez demain.')
  await expect(bubble(buyer, 'passez demain')).toBeVisible()
  await expect(bubble(seller, 'passez demain')).toHaveAttribute('data-state', 'read')

  await buyer.goto(`${device.url}/`)
  await ready(buyer)
  await write(seller, 'À quelle heure ?')
  await expect(
    buyer.getByRole('navigation').getByRole('link', { name: /^Messages.*1/ }),
  ).toBeVisible()
})

/** Runs in the page: lets a test hold back every message to the data worker. */
function deafWorker(): void {
  const post = Worker.prototype.postMessage
  const kept: (() => void)[] = []
  let deaf = false
  Worker.prototype.postMessage = function (this: Worker, ...message: unknown[]): void {
    const deliver = (): void => void Reflect.apply(post, this, message)
    if (deaf) kept.push(deliver)
    else deliver()
  }
  addEventListener('test:deaf', () => (deaf = true))
  addEventListener('test:hears', () => {
    deaf = false
    for (const deliver of kept.splice(0)) deliver()
  })
}

test('[S2.42] a text typed and sent while the message before is being stored follows it, once', async ({
  market,
  device,
}) => {
  const page = await device.open('/')
  const name = `bavard${Date.now() % 1e6}`
  await new Person(market.url).register(name)
  await signIn(page, device, name, `/listings/${await listingOf(market, 'vendeur')}`)
  await ready(page)
  await page.getByRole('button', { name: 'Envoyer un message' }).click()
  await write(page, 'Bonjour')
  await expect(bubble(page, 'Bonjour')).toHaveAttribute('data-state', 'sent')
  await page.addInitScript(deafWorker)
  await page.reload()
  await ready(page)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  const worker = (state: 'deaf' | 'hears'): Promise<boolean> =>
    page.evaluate((event) => dispatchEvent(new Event(event)), `test:${state}`)
  const send = page.getByRole('button', { name: 'Envoyer', exact: true })

  await box(page).fill('Premier')
  await worker('deaf')
  await send.dblclick()
  await box(page).press('End')
  await box(page).pressSequentially(' puis')
  await worker('hears')
  // Two taps on one text made one message, so the text typed after it is still in the box.
  await expect(box(page)).toHaveValue('puis')
  await expect(bubble(page, 'Premier')).toHaveAttribute('data-state', 'sent')

  await worker('deaf')
  await send.click()
  await box(page).press('End')
  await box(page).pressSequentially(' second')
  await send.click()
  await box(page).pressSequentially(' et')
  await worker('hears')
  await expect(box(page)).toHaveValue('et')
  await expect(page.locator('[data-message]')).toContainText([
    'Bonjour',
    /^Premier\D*\d/,
    /^puis\D*\d/,
    /^second\D*\d/,
  ])
  await expect(page.locator('[data-message]')).toHaveCount(4)
  await expect(bubble(page, 'second')).toHaveAttribute('data-state', 'sent')
})

test('[F05] [S2.42] a message that looks like a known fraud shows a warning', async ({
  market,
  device,
}) => {
  const page = await openSignedIn(
    device,
    'acheteur',
    `/listings/${await listingOf(market, 'vendeur')}`,
  )
  await ready(page)
  await page.getByRole('button', { name: 'Envoyer un message' }).click()
  await box(page).fill('Envoyez le code pour confirmer')
  await expect(page.getByText(/Ne donnez jamais un code reçu par SMS/)).toBeVisible()
})

test('[S2.42] [S2.28] with text at 200 % and no network, a message can still be written', async ({
  market,
}) => {
  const device = new Device(await new Proxy(market.port).listen(), {
    settings: ['--blink-settings=defaultFontSize=32'],
  })
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await device.context.setOffline(true)
  await expect(
    page.getByRole('status').filter({ hasText: 'partiront au retour du réseau' }),
  ).toBeAttached()
  // It is shown only after two seconds.
  await page.evaluate(() =>
    document
      .getAnimations()
      .forEach((one) => one.effect?.getComputedTiming().endTime !== Infinity && one.finish()),
  )
  await expect(box(page)).toBeInViewport({ ratio: 1 })
  await device.discard()
})

test('[S2.10] a listing’s photo that cannot load is a sign among the conversations, no broken image', async ({
  device,
}) => {
  const page = await device.open('/help')
  await signIn(page, device, 'acheteur', '/messages')
  const row = page
    .locator('[data-conversation]', { has: page.locator('img[src*="/images/"]') })
    .first()
  const id = await row.getAttribute('data-conversation')
  const same = page.locator(`[data-conversation="${id}"]`)
  // Marks beside the text may come later.
  const photo = same.locator('span').first()
  const signs = await photo.locator('svg').count()
  await same.locator('img[src*="/images/"]').dispatchEvent('error')
  await expect(same.locator('img[src*="/images/"]')).toHaveCount(0)
  await expect(photo.locator('svg')).toHaveCount(signs + 1)
})
