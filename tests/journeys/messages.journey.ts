import type { Locator, Page } from '@playwright/test'
import { list, member, Person, text } from '../support/api.ts'
import { plainJpeg } from '../support/camera.ts'
import { box, bubble, bubbles, fromGallery, sendNow, talk, write } from '../support/conversation.ts'
import { rowsOf } from '../support/disk.ts'
import { backOnline, keptBytes } from '../support/wizard.ts'
import { expect, openSignedIn, ready, settled, test } from './device.ts'
import { faultless } from './faultless.ts'

const log = (page: Page): Locator => page.getByRole('log', { name: 'Messages' })
const menu = (page: Page): Locator => page.getByRole('menu', { name: 'Actions du message' })
const choose = (page: Page, name: string): Promise<void> =>
  page.getByRole('menuitem', { name, exact: true }).click()
const actionsOf = (message: Locator): Locator =>
  message.locator('xpath=ancestor::li[1]').getByRole('button', { name: 'Actions du message' })

/** A finger that stays down; ends where it began. */
async function pressLong(page: Page, target: Locator): Promise<void> {
  // It stands still, and nothing covers it.
  await target.tap({ trial: true })
  const { x, y, width, height } = (await target.boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  const touch = await page.context().newCDPSession(page)
  await touch.send('Input.dispatchTouchEvent', {
    type: 'touchStart',
    touchPoints: [{ x: x + width / 2, y: y + height / 2 }],
  })
  await expect(menu(page)).toBeVisible()
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await touch.detach()
}

async function rows(person: Person, conversation: string): Promise<readonly unknown[]> {
  const page = await person.ask('GET', `conversations/${conversation}/messages/?page_size=100`)
  return list(page, 'results').toReversed()
}

/** The demo's conversation of 120 messages. */
async function longTalk(market: { readonly url: string }): Promise<string> {
  const buyer = await new Person(market.url).signIn('acheteur')
  const all = list(await buyer.ask('GET', 'conversations/'), 'results')
  return text(
    all.find((one) => Number(member(one, 'last_seq')) >= 120),
    'id',
  )
}

test('[S13.30] a conversation is the whole screen of a phone, and its head calls the seller', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const head = page.getByRole('link', { name: 'Retour aux conversations' })
  await expect.poll(async () => (await head.boundingBox())?.y).toBeLessThan(20)
  await expect(box(page)).toBeInViewport({ ratio: 1 })

  await page.getByRole('button', { name: 'Appeler' }).click()
  const number = page.getByRole('group', { name: 'Numéro du vendeur' })
  await expect(number.getByRole('link', { name: /^\+226/ })).toBeFocused()
  await expect(number.getByRole('link', { name: /^\+226/ })).toHaveAttribute('href', /^tel:\+226/)
  await expect(page.getByRole('link', { name: 'Appeler' })).toHaveAttribute('href', /^tel:\+226/)
  await faultless(page)
  await number.getByRole('button', { name: 'Masquer le numéro' }).click()
  await expect(number).toHaveCount(0)

  // The code that writes is on the device.
  await settled(page)
  device.proxy.set('cut')
  await write(page, 'Vous êtes là ?')
  const line = page.locator('[data-network-line]')
  await expect(line).toBeInViewport({ ratio: 1 })
  await expect.poll(async () => (await line.boundingBox())?.height).toBeLessThan(56)
  await head.click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Rechercher une annonce' })).toBeVisible()
})

test('[S13.31] [S13.32] a long press answers with a quotation, which leads to the original, for both sides', async ({
  market,
  device,
  other,
}) => {
  const { buyer, seller, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await write(page, 'Le prix est-il ferme ?')
  for (let n = 1; n <= 70; n += 1)
    // oxlint-disable-next-line no-await-in-loop -- in order
    await seller.ask('POST', `conversations/${conversation}/messages/`, { content: `Ligne ${n}` })
  await expect(bubble(page, 'Ligne 70')).toBeVisible()

  await pressLong(page, bubble(page, 'Ligne 70'))
  await faultless(page, 'dialog')
  // Nothing closes it when the finger leaves.
  await expect(menu(page)).toBeVisible()
  await choose(page, 'Répondre')
  await expect(box(page)).toBeFocused()
  const preview = page.getByRole('group', { name: 'Réponse à un message' })
  await expect(preview).toContainText('Ligne 70')
  await preview.getByRole('button', { name: 'Ne pas répondre à ce message' }).click()
  await expect(preview).toHaveCount(0)

  await pressLong(page, bubble(page, 'Ligne 70'))
  await choose(page, 'Répondre')
  await expect.poll(async () => JSON.stringify(await rowsOf(page, 'texts'))).toContain('Ligne 70')
  await page.reload()
  await ready(page)
  await expect(preview).toContainText('Ligne 70')
  device.proxy.set('cut')
  await write(page, 'Celle-ci me plaît')
  await expect(preview).toHaveCount(0)
  const mine = bubble(page, 'Celle-ci me plaît').locator('xpath=..')
  await expect(mine.getByRole('button', { name: /En réponse à/ })).toContainText('Ligne 70')
  device.proxy.set('pass')
  await backOnline(page)
  await expect(bubble(page, 'Celle-ci me plaît')).toHaveAttribute('data-state', /sent|read/)
  const sent = await rows(buyer, conversation)
  const answered = sent.find((one) => member(one, 'id') === member(sent.at(-1), 'reply_to_id'))
  expect(member(answered, 'content')).toBe('Ligne 70')
  await expect(mine.getByRole('button', { name: /En réponse à/ })).toContainText('Ligne 70')

  // An answer to what the other device has not loaded: the tap loads it.
  const first = sent.find((one) => member(one, 'content') === 'Le prix est-il ferme ?')
  await buyer.ask('POST', `conversations/${conversation}/messages/`, {
    content: 'Je répète',
    reply_to_id: text(first, 'id'),
  })
  const theirs = await openSignedIn(other, 'vendeur', `/messages/${conversation}`)
  await ready(theirs)
  const quote = bubble(theirs, 'Je répète')
    .locator('xpath=..')
    .getByRole('button', { name: /En réponse à/ })
  await expect(quote).toContainText('Message plus ancien')
  await quote.click()
  await expect(bubble(theirs, 'Le prix est-il ferme ?')).toBeInViewport()
  await expect(quote).toContainText('Le prix est-il ferme ?')
})

test('[S13.32] by keyboard: the menus of messages, copy, and delete before it left', async ({
  market,
  desktop,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(desktop, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await write(page, 'Un texte à copier')
  await expect(bubble(page, 'Un texte à copier')).toHaveAttribute('data-state', 'sent')
  await actionsOf(bubble(page, 'Un texte à copier')).focus()
  await page.keyboard.press('ArrowUp')
  await expect(actionsOf(bubble(page, 'Bonjour'))).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Répondre' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Copier' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu(page)).toHaveCount(0)
  await expect(actionsOf(bubble(page, 'Un texte à copier'))).toBeFocused()

  await desktop.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await bubble(page, 'Un texte à copier').click({ button: 'right' })
  await choose(page, 'Copier')
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('Un texte à copier')

  desktop.proxy.set('cut')
  await write(page, 'Écrit trop vite')
  await actionsOf(bubble(page, 'Écrit trop vite')).click()
  await expect(page.getByRole('menuitem', { name: 'Répondre' })).toHaveCount(0)
  await choose(page, 'Supprimer')
  const question = page.getByRole('alertdialog', { name: /Supprimer ce message/ })
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await expect(bubble(page, 'Écrit trop vite')).toHaveCount(0)
  desktop.proxy.set('pass')
  await backOnline(page)
  await write(page, 'Mieux dit')
  await expect(bubble(page, 'Mieux dit')).toHaveAttribute('data-state', 'sent')
  expect((await rows(buyer, conversation)).map((one) => member(one, 'content'))).toEqual([
    'Bonjour',
    'Un texte à copier',
    'Mieux dit',
  ])
})

test('[S13.33] four photos chosen at once, offline: one album, each sent once, the text under it', async ({
  market,
  deviceOnDisk: device,
}) => {
  test.slow()
  const { buyer, conversation } = await talk(market)
  let page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await settled(page)
  await expect(bubble(page, 'Bonjour')).toBeVisible()
  device.proxy.set('cut')
  const sizes = [640, 660, 680, 700, 720, 740, 760]
  const files = await Promise.all(
    sizes.map((width) => plainJpeg(`${width}.jpg`, '#00c000', width, 480)),
  )
  await fromGallery(page).setInputFiles(files)
  const preview = (): Locator => page.getByRole('group', { name: 'Photos à envoyer' })
  await expect(preview().getByRole('img')).toHaveCount(6)
  await expect(page.getByRole('alert')).toContainText('6 photos au maximum')
  await faultless(page, 'form[data-composer]')
  await page.getByRole('button', { name: 'Retirer la photo 6' }).click()
  await page.getByRole('button', { name: 'Retirer la photo 5' }).click()
  await box(page).fill('La voici')
  await expect(page.locator('form[data-kept]')).toBeVisible()
  await page.reload()
  await expect(preview().getByRole('img')).toHaveCount(4)
  await sendNow(page)
  await expect(bubbles(page)).toHaveCount(5)
  await expect(preview()).toHaveCount(0)
  const album = page
    .getByRole('listitem')
    .filter({ has: page.locator('[data-message]') })
    .last()
  await expect(album.locator('[data-message]')).toHaveCount(4)
  await expect(album.getByRole('img', { name: 'Votre photo' })).toHaveCount(4)
  await expect(album.locator('[data-message]').last()).toContainText('La voici')
  await faultless(page, '[role=log][aria-label=Messages]')
  await device.close()

  page = await device.open(`/messages/${conversation}`)
  await expect(bubbles(page)).toHaveCount(5)
  device.proxy.set('pass')
  await backOnline(page)
  await expect(bubble(page, 'La voici')).toHaveAttribute('data-state', /sent|read/)
  const sent = await rows(buyer, conversation)
  expect(
    sent.map((one) => [member(one, 'content'), member(member(one, 'attachment'), 'width')]),
  ).toEqual([
    ['Bonjour', undefined],
    ['', 640],
    ['', 660],
    ['', 680],
    ['La voici', 700],
  ])
  await expect.poll(() => keptBytes(page)).toBe(0)
})

test('[S13.34] [S13.35] the day stays in sight; a search counts, marks and loads older messages', async ({
  market,
  device,
}) => {
  const conversation = await longTalk(market)
  const page = await openSignedIn(device, 'acheteur', `/messages/${conversation}`)
  await ready(page)
  await expect(bubbles(page).nth(20)).toBeAttached()
  const dayTop = () =>
    log(page).evaluate((one) => {
      one.scrollTo({ top: -700 })
      one.querySelectorAll('p').forEach((line) => (line.style.pointerEvents = 'auto'))
      const { top } = one.getBoundingClientRect()
      const { x, width } = one.getBoundingClientRect()
      return [6, 12, 18, 24, 30]
        .map((below) => document.elementsFromPoint(x + width / 2, top + below))
        .flat()
        .map((found) => found.textContent)
        .filter((text) => /^(Aujourd’hui|Hier|[a-z]+ \d+(er)? [a-zéû]+)$/u.test(text)).length
    })
  await expect.poll(dayTop).toBeGreaterThan(0)

  await page.getByRole('button', { name: 'Actions de la conversation' }).click()
  await choose(page, 'Rechercher dans la conversation')
  const search = page.getByRole('search', { name: 'Dans cette conversation' })
  await expect(search.getByRole('searchbox')).toBeFocused()
  await search.getByRole('searchbox').fill('PRIX')
  await expect(search.getByRole('status')).toHaveText(/^(\d+)\/\1 messages?$/)
  await expect(log(page).locator('mark').first()).toHaveText(/prix/i)
  await expect(log(page).locator('[data-found]')).toBeInViewport()
  const before = await search.getByRole('status').innerText()
  const [count = ''] = /\d+(?= message)/.exec(before) ?? []
  await search.getByRole('button', { name: 'Résultat plus ancien' }).click()
  await expect(search.getByRole('status')).toHaveText(
    `${((Number(count) + Number(count) - 2) % Number(count)) + 1}/${before.split('/')[1]}`,
  )
  await expect(log(page).locator('[data-found]')).toBeInViewport()
  await faultless(page)
  await expect(search).toContainText('Les plus anciens ne sont pas sur ce téléphone.')
  await search.getByRole('button', { name: 'Charger' }).click()
  await expect
    .poll(async () =>
      Number(/\d+(?= message)/.exec(await search.getByRole('status').innerText())?.[0]),
    )
    .toBeGreaterThan(Number(count))
  await search.getByRole('searchbox').fill('introuvable ici')
  await expect(search.getByRole('status')).toHaveText('Aucun message trouvé.')
  await page.keyboard.press('Escape')
  await expect(search).toHaveCount(0)
  await expect(log(page).locator('mark')).toHaveCount(0)
})

test('[S13.36] [S13.37] the list shows photos, and wide windows two or three columns', async ({
  market,
  desktop,
}) => {
  const conversation = await longTalk(market)
  const page = await openSignedIn(desktop, 'acheteur', `/messages/${conversation}`)
  await ready(page)
  const row = page.locator(`a[data-conversation="${conversation}"]`)
  await expect(row.locator('img').first()).toHaveJSProperty('complete', true)
  await expect(row.locator('img').first()).not.toHaveJSProperty('naturalWidth', 0)
  await expect(row.getByRole('time')).toBeVisible()
  const about = page.getByRole('complementary', { name: 'Annonce de la conversation' })
  await expect(about.getByRole('link', { name: 'Voir l’annonce' })).toBeVisible()
  await expect(about).toContainText('F CFA')
  await expect(about.getByRole('link', { name: 'Voir la boutique' })).toBeVisible()
  await faultless(page)
  await about.getByRole('button', { name: 'Afficher le numéro' }).click()
  await expect(page.getByRole('group', { name: 'Numéro du vendeur' })).toBeVisible()
  await page.setViewportSize({ width: 1000, height: 700 })
  await expect(about).toHaveCount(0)
  await expect(row).toBeVisible()
  await expect(box(page)).toBeVisible()
})

for (const calm of [false, true])
  test(`[S13.38] a sent bubble rises and buzzes unless motion is reduced (${calm})`, async ({
    market,
    device,
  }) => {
    const { buyer, conversation } = await talk(market)
    const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
    await page.emulateMedia({ reducedMotion: calm ? 'reduce' : 'no-preference' })
    await ready(page)
    await expect(bubble(page, 'Bonjour')).toBeVisible()
    await page.evaluate(() => {
      const seen: unknown[] = []
      Object.assign(globalThis, { seen })
      navigator.vibrate = (pattern) => seen.push(`buzz ${JSON.stringify(pattern)}`) > 0
      document.addEventListener('animationstart', ({ target }) => {
        if (!(target instanceof HTMLElement) || !target.querySelector(':scope > [data-message]'))
          return
        // After a slow frame the animation has already ended: its style still says how long it is.
        seen.push(getComputedStyle(target).animationDuration)
      })
    })
    await write(page, 'Je passe demain')
    await expect(bubble(page, 'Je passe demain')).toHaveAttribute('data-state', 'sent')
    // The animation begins with a frame, which may come after the answer.
    const seen = () =>
      page.evaluate('new Promise((next) => requestAnimationFrame(() => next(seen)))')
    if (calm) expect(await seen()).toEqual([])
    else await expect.poll(seen).toEqual(expect.arrayContaining(['0.16s', 'buzz 12']))
  })

test('[S13.39] notifications are offered on one thin line, once to a person on a device', async ({
  market,
  device,
}) => {
  const { buyer, conversation } = await talk(market)
  const page = await openSignedIn(device, buyer.username, `/messages/${conversation}`)
  await ready(page)
  await write(page, 'Je passe mardi')
  const no = page.getByRole('button', { name: 'Non merci' })
  await expect(no).toBeVisible()
  const offer = page.getByRole('status').filter({ has: no })
  await expect.poll(async () => (await offer.boundingBox())?.height).toBeLessThan(56)
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('push_nudge_shown')))
    .toContain(buyer.id)
  await page.reload()
  await ready(page)
  await write(page, 'Ou mercredi')
  await expect(bubble(page, 'Ou mercredi')).toHaveAttribute('data-state', 'sent')
  await write(page, 'Ou jeudi')
  await expect(bubble(page, 'Ou jeudi')).toHaveAttribute('data-state', 'sent')
  await expect(no).toHaveCount(0)
})
