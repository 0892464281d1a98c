import { POLL_MIN_MS } from '#schema/limits'
import { bubble, talk, write } from '../support/conversation.ts'
import { expect, ready, signIn, test } from './phone.ts'

for (const how of ['refuse', 'hang'] as const) {
  test(`[S4.08] [S4.11] where WebSockets are blocked (${how}) an open chat receives all the same, and nothing false is said of the network`, async ({
    market,
    phone,
  }) => {
    const { buyer, seller, conversation } = await talk(market)
    phone.proxy.sockets(how)
    const page = await phone.open('/')
    await signIn(page, phone, buyer.username, `/messages/${conversation}`)
    await ready(page)
    await expect(bubble(page, 'Bonjour')).toBeVisible()
    await seller.ask('POST', `conversations/${conversation}/messages/`, {
      content: 'Oui, toujours là',
    })
    await expect(bubble(page, 'Oui, toujours là')).toBeVisible({ timeout: POLL_MIN_MS + 30_000 })
    await write(page, 'Demain matin')
    await expect(bubble(page, 'Demain matin')).toHaveAttribute('data-state', /sent|read/)
    await expect(page.locator('html')).toHaveAttribute('data-network', 'online')
    await expect(
      page.getByRole('status').filter({ hasText: /hors ligne|très lent|Internet/ }),
    ).toHaveCount(0)
  })
}
