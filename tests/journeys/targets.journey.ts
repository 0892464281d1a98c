import { list, member, Person, text } from '../support/api.ts'
import { talk } from '../support/conversation.ts'
import { expect, ready, signIn, test } from './device.ts'
import { fitForFingers } from './targets.ts'

/** Every screen's address (src/app/router.tsx), as visitors and signed-in people see it. */
const open = [
  '/',
  '/listings',
  '/listings?category=vehicles&search=toyota',
  '/auth?mode=login',
  '/auth?mode=register',
  '/forgot-password',
  '/reset-password?uid=x&token=y',
  '/verify-email?uid=x&token=y',
  '/help',
  '/install',
  '/support/add-to-home',
  '/privacy',
  '/terms',
  '/settings',
  '/outbox',
  '/saved',
  '/nulle/part',
]
const own = [
  '/',
  '/profile',
  '/profile?tab=listings',
  '/dashboard',
  '/shop',
  '/messages',
  '/notifications',
  '/saved',
  '/outbox',
  '/settings',
  '/create-listing',
]

for (const size of ['phone', 'desktop'] as const) {
  test(`[S2.23] no touch target is too small, no placeholder unfilled, no aside nameless (${size})`, async ({
    market,
    device,
    desktop,
  }) => {
    test.slow()
    const used = size === 'phone' ? device : desktop
    const [row] = list(
      await new Person(market.url).ask('GET', 'listings/?has_images=true&page_size=1'),
      'results',
    )
    const seller = member(row, 'seller')
    const page = await used.open('/')
    for (const path of [...open, `/listings/${text(row, 'id')}`, `/shop/${text(seller, 'slug')}`]) {
      await page.goto(used.url + path)
      await ready(page)
      await fitForFingers(page)
    }
    const { conversation } = await talk(market)
    await signIn(page, used, 'vendeur', `/messages/${conversation}`)
    await expect(page.locator('[data-message]').first()).toBeVisible()
    await fitForFingers(page)
    for (const path of own) {
      await page.goto(used.url + path)
      await ready(page)
      await fitForFingers(page)
    }
  })
}
