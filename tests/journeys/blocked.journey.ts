import { POLL_MIN_MS } from '#schema/limits'
import { bubble, talk, write } from '../support/conversation.ts'
import type { Product } from '../support/product.ts'
import type { Sockets } from '../support/proxy.ts'
import { expect, type Device, ready, openSignedIn, test } from './device.ts'

/** An open chat on a device whose sockets are blocked so. */
async function openChat(market: Product, device: Device, how: Sockets) {
  const { buyer, seller, conversation } = await talk(market)
  device.proxy.sockets(how)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await seller.ask('POST', `conversations/${conversation}/messages/`, {
    content: 'Oui, toujours là',
  })
  return page
}

test('[S4.08] [S4.11] an open chat receives by polling where WebSockets are blocked', async ({
  market,
  device,
  other,
}) => {
  test.slow()
  // Both wait for their next poll, two minutes: side by side.
  const chats = [await openChat(market, device, 'refuse'), await openChat(market, other, 'hang')]
  for (const page of chats) {
    await expect(bubble(page, 'Oui, toujours là')).toBeVisible({ timeout: 2 * POLL_MIN_MS })
    await write(page, 'Demain matin')
    await expect(bubble(page, 'Demain matin')).toHaveAttribute('data-state', /sent|read/)
    await expect(page.locator('html')).toHaveAttribute('data-network', 'online')
    await expect(
      page.getByRole('status').filter({ hasText: /hors ligne|très lent|Internet/ }),
    ).toHaveCount(0)
  }
})
