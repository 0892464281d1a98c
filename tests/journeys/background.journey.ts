import { Background, canDeliverInBackground } from './closed.ts'
import { expect, ready, settled, openSignedIn, test } from './device.ts'
import { Person, list, member, text } from '../support/api.ts'
import { plainJpeg } from '../support/camera.ts'
import { bubble, fromGallery, preview, write } from '../support/conversation.ts'
import { keptBytes } from '../support/wizard.ts'

test('[S4.23] [S2.42] with every tab closed, messages and a photo written offline are delivered once', async ({
  market,
  deviceOnDisk: device,
}) => {
  const buyer = await new Person(market.url).signIn('acheteur')
  const conversation = text(list(await buyer.ask('GET', 'conversations/'), 'results')[0], 'id')
  const rowsOf = async (content: string) =>
    list(
      await buyer.ask('GET', `conversations/${conversation}/messages/?page_size=20`),
      'results',
    ).filter((row) => member(row, 'content') === content)
  const arrived = async (content: string) => (await rowsOf(content)).length
  let page = await openSignedIn(device, 'acheteur', `/messages/${conversation}`)
  await ready(page)
  await settled(page)
  await canDeliverInBackground(page)
  const background = await Background.of(device)
  // Its answer shows that the server supports idempotency keys: nothing is read back first.
  const hello = `Bonjour (${Date.now()})`
  await write(page, hello)
  await expect(bubble(page, hello)).toHaveAttribute('data-state', /sent|read/)

  device.proxy.set('cut')
  const content = `Onglets fermés (${Date.now()})`
  await fromGallery(page).setInputFiles([await plainJpeg('a.jpg', '#00c000', 640, 480)])
  await expect(preview(page)).toBeVisible()
  await write(page, content)
  await expect(bubble(page, content)).toHaveAttribute('data-state', /queued|sending/)
  await page.close()
  await expect
    .poll(() => device.context.pages().filter((one) => one.url().startsWith(device.url)).length)
    .toBe(0)

  // The first call arrives and its answer is lost; the retry must not send the message twice.
  device.proxy.set('lose-answers')
  await background.networkIsBack()
  await expect.poll(() => arrived(content)).toBe(1)
  device.proxy.set('pass')
  await background.networkIsBack()

  page = await device.open(`/messages/${conversation}`)
  await expect(bubble(page, content)).toHaveAttribute('data-state', /sent|read/)
  await expect(bubble(page, content)).toHaveCount(1)
  expect((await rowsOf(content)).map((row) => member(member(row, 'attachment'), 'width'))).toEqual([
    640,
  ])
  await expect.poll(() => keptBytes(page)).toBe(0)
})
