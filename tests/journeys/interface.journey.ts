import type { Locator, Page } from '@playwright/test'
import { type Device, expect, openSignedIn, ready, test } from './device.ts'

const header = (page: Page): Locator => page.getByRole('banner')
const box = (page: Page): Locator => page.getByRole('searchbox', { name: 'Rechercher une annonce' })
const back = (page: Page): Locator => header(page).getByRole('link', { name: 'Retour' })

/** Scrolls as a finger does, and waits until the page is there. */
async function scrolled(page: Page, y: number): Promise<void> {
  const to = await page.evaluate((by) => {
    scrollBy({ top: by })
    return scrollY
  }, y)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(to)
}

test('[S13.01] the heart fills when it is pressed, and pops unless motion is reduced', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  const hearts = page.getByRole('button', { name: 'Enregistrer' })
  const look = (heart: Locator) =>
    heart.evaluate((button) => {
      const { fill, color } = getComputedStyle(button.querySelector('svg') ?? button)
      return { filled: fill !== 'none', red: fill === color }
    })
  const popped = (heart: Locator) =>
    heart.evaluate((button) => {
      if (button instanceof HTMLElement) button.click()
      return button.getAnimations().map(({ effect }) => effect?.getTiming().duration)
    })
  expect(await look(hearts.nth(0))).toEqual({ filled: false, red: false })
  expect(await popped(hearts.nth(0))).toEqual([150])
  await expect(hearts.nth(0)).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => look(hearts.nth(0))).toEqual({ filled: true, red: true })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await popped(hearts.nth(1))).toEqual([])
  await expect(hearts.nth(1)).toHaveAttribute('aria-pressed', 'true')
})

test('[S13.02] the header leaves while one scrolls down, and is back at the first move up and with the focus', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  const bottom = () =>
    header(page).evaluate((bar) => Math.round(bar.getBoundingClientRect().bottom))
  const whole = await bottom()
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollHeight))
    .toBeGreaterThan(2000)
  await scrolled(page, 600)
  await expect.poll(bottom).toBe(0)
  await scrolled(page, -30)
  await expect.poll(bottom).toBe(whole)
  await scrolled(page, 300)
  await expect.poll(bottom).toBe(0)
  await box(page).focus()
  await expect.poll(bottom).toBe(whole)
  await scrolled(page, 300)
  await expect.poll(bottom).toBe(whole)
})

test('[S13.03] inner screens lead back: in the app’s own history, else to the parent screen', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  await expect(back(page)).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Catégories' }).getByRole('link').nth(1).click()
  await expect(page).toHaveURL(/category=/)
  await back(page).click()
  await expect(page).toHaveURL(`${device.url}/`)
  for (const [path, parent] of [
    ['/help', '/'],
    ['/listings?category=motos', '/listings'],
    ['/saved', '/'],
  ] as const) {
    const other = await device.open(path)
    await ready(other)
    await back(other).click()
    await expect(other).toHaveURL(device.url + parent)
    await other.close()
  }
  for (const path of ['/listings', '/settings']) {
    await page.goto(device.url + path)
    await ready(page)
    await expect(back(page), path).toHaveCount(0)
  }
})

/** Each label of the bottom navigation that is seen, with what is wrong with it. */
async function labels(page: Page): Promise<readonly string[]> {
  return page.getByRole('navigation', { name: 'Navigation principale' }).evaluate((nav) => {
    let end = 0
    return [...nav.querySelectorAll('a')].flatMap((link) => {
      // A badge may follow it.
      const label = [...link.children].find((one) => one.matches('span:not(:has(svg))'))
      if (!label) return [`${link.textContent} has no label`]
      const range = document.createRange()
      range.selectNodeContents(label)
      const { left, right } = range.getBoundingClientRect()
      if (label.getBoundingClientRect().width <= 1) return []
      const faults = [
        range.getClientRects().length > 1 && 'wraps',
        left - end < 2 && 'touches',
        right > innerWidth && 'is cut',
        Number.parseFloat(getComputedStyle(label).fontSize) < 12 && 'is small',
      ].filter((fault) => fault !== false)
      end = right
      return [[label.textContent, ...faults].join(' ')]
    })
  })
}

const ITEMS = ['Accueil', 'Catégories', 'Vendre', 'Messages', 'Connexion', 'Paramètres']

async function expectWhole(page: Page, path: string, seen: readonly string[]): Promise<void> {
  await expect.poll(() => labels(page), path).toEqual(seen)
  const items = page.getByRole('navigation', { name: 'Navigation principale' }).getByRole('link')
  await expect(items, path).toHaveCount(ITEMS.length)
  const room = await box(page).evaluate((input) => {
    if (!(input instanceof HTMLInputElement)) return 0
    const style = getComputedStyle(input)
    const pen = document.createElement('canvas').getContext('2d')
    if (!pen) return 0
    pen.font = style.font
    return (
      input.clientWidth -
      Number.parseFloat(style.paddingInlineStart) -
      Number.parseFloat(style.paddingInlineEnd) -
      pen.measureText(input.placeholder).width
    )
  })
  expect(room, path).toBeGreaterThanOrEqual(0)
}

test('[S13.04] [S13.67] at 320 px and 200 % text, labels of navigation and search are whole, and not small', async ({
  device,
}) => {
  const page = await device.open('/')
  await page.setViewportSize({ width: 320, height: 640 })
  await ready(page)
  await expect(
    page
      .getByRole('navigation', { name: 'Navigation principale' })
      .getByRole('link', { name: 'Connexion' }),
  ).toBeVisible()
  const few = ['Catégories', 'Vendre', 'Messages']
  await expectWhole(page, 'visitor', few)
  await page.setViewportSize({ width: 360, height: 640 })
  await expectWhole(page, 'visitor, 360 px', ITEMS)
  const member = await openSignedIn(device, 'vendeur', '/settings')
  await member.setViewportSize({ width: 320, height: 640 })
  await ready(member)
  await expect(member.getByRole('button', { name: 'Menu du compte' })).toBeVisible()
  await expectWhole(member, 'signed in', few)
  await member.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await expectWhole(member, '200 %', few)
  await member.setViewportSize({ width: 360, height: 640 })
  await expectWhole(member, '200 %, 360 px', ITEMS.with(ITEMS.indexOf('Connexion'), 'Profil'))
})

test('[S13.05] a list shows whole towns with the age below, in cards of one height; five compact rows fit', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  const cards = page.locator('[data-coverage] article[data-listing]')
  const shape = () =>
    cards.evaluateAll((all) => {
      const first = all.slice(0, 12)
      return {
        heights: new Set(first.map((card) => Math.round(card.getBoundingClientRect().height))).size,
        below: first.every((card) => {
          const age = card.querySelector('time')
          const town = age?.previousElementSibling
          return (
            town instanceof HTMLElement &&
            town.scrollWidth <= town.clientWidth &&
            town.getBoundingClientRect().bottom <= (age?.getBoundingClientRect().top ?? 0) + 1
          )
        }),
      }
    })
  await expect.poll(shape).toEqual({ heights: 1, below: true })
  await page.getByRole('button', { name: 'Vue compacte' }).click()
  await cards.nth(2).evaluate((card) => card.scrollIntoView())
  await expect
    .poll(() =>
      cards.evaluateAll((all) => {
        const nav = document.querySelector('nav[aria-label="Navigation principale"]')
        const end = nav?.getBoundingClientRect().top ?? innerHeight
        const rows = all.map((card) => card.getBoundingClientRect())
        return (
          rows.filter(({ top, bottom }) => top >= 0 && bottom <= end).length >= 5 &&
          rows.slice(0, 12).every(({ height }) => height <= 96)
        )
      }),
    )
    .toBe(true)
})

test('[S13.06] home shows four listings without scrolling, and six columns in a wide window', async ({
  device,
  desktop,
}) => {
  const page = await device.open('/')
  await ready(page)
  const inSight = (of: Page) =>
    of.locator('article[data-listing] strong').evaluateAll((prices) => {
      const nav = document.querySelector('nav[aria-label="Navigation principale"]')
      const end = Math.min(innerHeight, nav?.getBoundingClientRect().top || innerHeight)
      return prices.filter((price) => price.getBoundingClientRect().bottom <= end).length
    })
  await expect.poll(() => inSight(page)).toBeGreaterThanOrEqual(4)
  const wide = await desktop.open('/')
  await ready(wide)
  await expect
    .poll(() =>
      wide
        .getByRole('region', { name: 'Annonces récentes' })
        .locator('article')
        .evaluateAll(
          (all) =>
            all.filter(
              (card) => card.getBoundingClientRect().top === all[0]?.getBoundingClientRect().top,
            ).length,
        ),
    )
    .toBe(6)
})

test('[S13.07] "/" goes to the search, except while one types', async ({ desktop }) => {
  const page = await desktop.open('/help')
  await ready(page)
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await expect(box(page)).toHaveValue('')
  await page.keyboard.press('/')
  await expect(box(page)).toHaveValue('/')
  const other = page.getByRole('main').getByRole('searchbox')
  await other.pressSequentially('a/b')
  await expect(other).toHaveValue('a/b')
  await expect(other).toBeFocused()
})

test('[S13.66] single keys can be switched off in the settings, and on again', async ({
  desktop,
}) => {
  const page = await desktop.open('/settings')
  await ready(page)
  const choice = page.getByRole('switch', { name: 'Raccourcis d’une touche' })
  await expect(choice).toBeChecked()
  await choice.uncheck()
  await page.goto(`${desktop.url}/listings`)
  await ready(page)
  const first = page.locator('article[data-listing] > a').first()
  await expect(page.getByRole('complementary', { name: 'Filtres' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(box(page)).not.toBeFocused()
  await page.keyboard.press('j')
  await expect(first).not.toBeFocused()
  await page.goto(`${desktop.url}/settings`)
  await ready(page)
  await expect(choice).not.toBeChecked()
  await choice.check()
  await page.goto(`${desktop.url}/listings`)
  await ready(page)
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
})

async function pull(page: Page, device: Device, px: number): Promise<void> {
  const session = await device.context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: y === undefined ? [] : [{ x: 180, y }],
    })
  await touch('touchStart', 220)
  for (let moved = 20; moved <= px; moved += 20) await touch('touchMove', 220 + moved)
  await touch('touchEnd')
}

test('[S13.08] in the installed app, pulling a list down fetches it again', async ({ device }) => {
  const page = await device.open('/help')
  // Chromium emulates no installed app.
  await page.addInitScript(() => {
    const ask = matchMedia.bind(globalThis)
    globalThis.matchMedia = (query) => ask(query === '(display-mode: standalone)' ? 'all' : query)
  })
  const asked: string[] = []
  let answer = (): void => undefined
  let answered = Promise.resolve()
  await device.context.route(/\/api\/listings\/(?:\?|$)/, async (route) => {
    const { searchParams } = new URL(route.request().url())
    // Not those that make the list longer.
    if (!searchParams.has('cursor') && !searchParams.has('page')) asked.push(route.request().url())
    await answered
    await route.continue()
  })
  await page.goto(`${device.url}/listings`)
  await ready(page)
  const sign = page.locator('[data-pull]')
  await expect(sign).toBeAttached()
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await pull(page, device, 60)
  await expect(sign).toHaveAttribute('data-pull', 'released')
  const before = asked.length
  answered = new Promise((resolve) => (answer = resolve))
  // A finger that rests too long on a slow machine opens the browser's menu: it pulls again.
  await expect(async () => {
    await pull(page, device, 160)
    await expect(sign).toHaveAttribute('data-pull', 'busy', { timeout: 2000 })
  }).toPass()
  answer()
  await expect(sign).toHaveAttribute('data-pull', 'released')
  await expect(sign).toHaveCSS('opacity', '0')
  expect(asked.length).toBe(before + 1)
})

test('[S13.08] in a browser’s tab the browser pulls', async ({ device }) => {
  const page = await device.open('/listings')
  await ready(page)
  await expect(page.locator('[data-pull]')).toHaveCount(0)
})

test('[S13.09] fields have a lower line of 3:1, selects the app’s arrow, the search one sign that clears it', async ({
  device,
}) => {
  const page = await device.open('/auth')
  await ready(page)
  const contrast = await page
    .getByRole('textbox', { name: 'E-mail ou nom d’utilisateur' })
    .evaluate((field) => {
      const light = (colour: string): number => {
        const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
          const share = Number(part) / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const line = light(getComputedStyle(field).borderBlockEndColor)
      return [field, document.documentElement].map(
        (ground) => (light(getComputedStyle(ground).backgroundColor) + 0.05) / (line + 0.05),
      )
    })
  for (const ratio of contrast) expect(ratio).toBeGreaterThanOrEqual(3)
  await box(page).fill('moto')
  await header(page).getByRole('button', { name: 'Effacer la recherche' }).click()
  await expect(box(page)).toHaveValue('')
  await expect(box(page)).toBeFocused()
  await expect(header(page).getByRole('button', { name: 'Effacer la recherche' })).toHaveCount(0)
  await page.goto(`${device.url}/listings`)
  await ready(page)
  await expect(page.getByLabel('Trier')).toHaveCSS('appearance', 'none')
})
