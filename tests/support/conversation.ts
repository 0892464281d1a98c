import { expect, type Locator, type Page } from '@playwright/test'
import { list, Person, text } from './api.ts'

export interface Talk {
  readonly buyer: Person
  readonly seller: Person
  readonly listing: string
  readonly conversation: string
}

export async function talk(market: { readonly url: string }): Promise<Talk> {
  const { buyer, seller, listing } = await strangers(market)
  const conversation = text(
    await buyer.ask('POST', 'conversations/start/', { listing_id: listing, content: 'Bonjour' }),
    'id',
  )
  return { buyer, seller, listing, conversation }
}

export async function strangers(market: {
  readonly url: string
}): Promise<Omit<Talk, 'conversation'>> {
  const seller = await new Person(market.url).signIn('vendeur')
  const buyer = await new Person(market.url).register(`voisin${Date.now() % 1e8}`)
  const listing = text(
    list(await buyer.ask('GET', `listings/?seller=${seller.id}&page_size=1`), 'results')[0],
    'id',
  )
  return { buyer, seller, listing }
}

export const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Votre message' })
export const sendNow = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Envoyer', exact: true }).click()
export const fromGallery = (page: Page): Locator => page.locator('input[type=file]:not([capture])')
export const preview = (page: Page): Locator => page.getByRole('group', { name: 'Photo à envoyer' })
export const bubbles = (page: Page): Locator => page.locator('[data-message]')
/** The time follows the text at once: soon after midnight "Ligne 7" reads "Ligne 700:08". */
export function bubble(page: Page, content: string): Locator {
  const found = bubbles(page).filter({ hasText: content })
  return /\d$/.test(content)
    ? found.filter({ hasText: new RegExp(`${RegExp.escape(content)}(?=\\d\\d:\\d\\d|\\D|$)`) })
    : found
}
export const pictures = (page: Page): Locator =>
  bubbles(page).filter({
    has: page.getByRole('img', { name: /^(Votre photo|Photo envoyée par )/ }),
  })

/** Writes a message; the box empties once it is stored on the device. */
export async function write(page: Page, content: string): Promise<void> {
  await box(page).fill(content)
  await sendNow(page)
  await expect(bubble(page, content)).toBeVisible()
  await expect(box(page)).toHaveValue('')
}
