import type { Page } from '@playwright/test'
import { expect, ready, screenKept, test } from './device.ts'
import { LIST_ROWS_MAX } from '#schema/limits'
import { Person, list, member, text } from '../support/api.ts'
import type { Product } from '../support/product.ts'

const cards = (page: Page) => page.locator('article[data-listing]')
const shown = (page: Page): Promise<(string | null)[]> =>
  cards(page).evaluateAll((all) => all.map((one) => one.getAttribute('data-listing')))

async function idsFromServer(
  market: Product,
  query: string,
  rows: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  let next = `listings/?${query}&page_size=20`
  while (next !== '' && ids.length < rows) {
    const page = await new Person(market.url).ask('GET', next)
    for (const row of list(page, 'results')) ids.push(text(row, 'id'))
    const following = member(page, 'next')
    next = typeof following === 'string' ? following.replace(/^\/api\//, '') : ''
  }
  return ids.slice(0, rows)
}

test('[S2.33] [S1.06] home shows recent, featured and trending listings, the categories, and how it works', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  for (const heading of [/récent/i, /à la une/i, /tendance/i])
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
  await expect(cards(page).first()).toBeVisible()
  await page
    .getByRole('link', { name: /Véhicules|Autos/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/listings\?.*category=vehicles/)
  await expect(cards(page).first()).toBeVisible()
})

test('[S2.33] [S4.20] late content and the install offer do not move what home already shows', async ({
  deviceOnDisk: device,
}) => {
  const page = await device.open('/help')
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await device.context.route(/type=featured/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(device.url)
  await ready(page)
  // Measured from the heading: the network line may push the whole page.
  const top = (): Promise<number> =>
    page.evaluate(() =>
      Math.round(
        (document.querySelector('[aria-label="Annonces récentes"]')?.getBoundingClientRect().y ??
          0) - (document.querySelector('h1')?.getBoundingClientRect().y ?? 0),
      ),
    )
  const before = await top()
  answer()
  await expect(
    page.getByRole('region', { name: 'À la une' }).locator('[data-listing]').first(),
  ).toBeVisible()
  await expect(page.getByText('Installez l’application')).toBeAttached()
  expect(await top()).toBe(before)
})

test('[S2.03] [S2.36] the list has the server’s order, and grows by scrolling without gaps or doubles', async ({
  market,
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  const wanted = await idsFromServer(market, '', 60)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4000)
      return (await shown(page)).length
    })
    .toBeGreaterThanOrEqual(60)
  // Rows stored by another list show in their own order until the server's arrive.
  await expect.poll(async () => (await shown(page)).slice(0, 60)).toEqual(wanted)
  const ids = await shown(page)
  expect(new Set(ids).size).toBe(ids.length)
})

test('[S2.36] a list of hundreds empties cards far away, and fills them again in the same place', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await screenKept(page)
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  const first = await shown(page)
  const top = page.locator('[data-part]').first()
  await expect(top).toHaveAttribute('data-settled', '')
  const height = (): Promise<number> => top.evaluate((part) => part.getBoundingClientRect().height)
  const before = await height()
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }))
      return top.locator('article *').count()
    })
    .toBe(0)
  expect(await height()).toBe(before)
  expect((await shown(page)).slice(0, first.length)).toEqual(first)
  await keptWhenLeft(page)
  // A jump may show cards before they are filled: without their old height it lands elsewhere.
  const bare = await top.evaluate((part: HTMLElement) => {
    part.style.contentVisibility = 'visible'
    const { height } = part.getBoundingClientRect()
    part.style.contentVisibility = ''
    return height
  })
  expect(bare).toBe(before)
  await page.evaluate(() => scrollTo({ top: 0 }))
  await expect(cards(page).first().getByRole('heading')).toBeInViewport()
  expect(await height()).toBe(before)
})

test('[S2.36] a list scrolled to its maximum is restored after a reload, and shows that it ends', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await screenKept(page)
  // The history state of a list that showed more rows than the maximum.
  await page.evaluate(
    (rows) => history.replaceState({ ...history.state, rows, reading: 0 }, ''),
    LIST_ROWS_MAX + 40,
  )
  await page.reload()
  await ready(page)
  await expect.poll(async () => (await shown(page)).length).toBe(LIST_ROWS_MAX)
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }))
  await expect(page.getByText('Cette liste s’arrête ici.')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Afficher plus' })).toHaveCount(0)
  await page.evaluate(() => scrollTo({ top: 0 }))
  await expect(cards(page).first().getByRole('heading')).toBeInViewport()
  await keptWhenLeft(page)
})

test('[S2.36] a list loads on when one batch has two frames: before its end was in sight, and after', async ({
  device,
}) => {
  await (await device.open('/icon.svg')).close()
  await device.context.addInitScript(() => {
    const Real = IntersectionObserver
    globalThis.IntersectionObserver = class extends Real {
      constructor(tell: IntersectionObserverCallback, how?: IntersectionObserverInit) {
        const before = (one: IntersectionObserverEntry): IntersectionObserverEntry =>
          new Proxy(one, {
            get: (of, name) => (name === 'isIntersecting' ? false : Reflect.get(of, name)),
          })
        super((sights, watch) => tell([...sights.map(before), ...sights], watch), how)
      }
    }
  })
  const page = await device.open('/listings')
  await ready(page)
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }))
  await expect.poll(async () => (await shown(page)).length).toBeGreaterThan(20)
})

test('[S2.36] removing a filter focuses the next one, removing the last one the button of all filters', async ({
  device,
}) => {
  const page = await device.open('/listings?category=vehicles&region=kadiogo&price_max=5000000')
  await ready(page)
  const chips = page.getByRole('group', { name: 'Filtres' }).getByRole('button', { pressed: true })
  for (const left of [2, 1]) {
    await chips.first().press('Enter')
    await expect(chips).toHaveCount(left)
    await expect(chips.first()).toBeFocused()
  }
  await chips.first().press('Enter')
  await expect(chips).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Filtrer' })).toBeFocused()
})

for (const [alias, slug] of [
  ['cars', 'vehicles'],
  ['real-estate', 'properties'],
  ['electronics', 'electronics'],
  ['fashion', 'fashion'],
] as const) {
  test(`[S2.03] the footer's category ${alias} shows ${slug}`, async ({ market, device }) => {
    const page = await device.open(`/listings?category=${alias}`)
    await ready(page)
    await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
    const wanted = await idsFromServer(market, `category=${slug}`, 10)
    await expect.poll(async () => (await shown(page)).slice(0, 10)).toEqual(wanted)
  })
}

test('[S2.36] filters, order and the category’s specs are in the URL, and give the server’s results', async ({
  market,
  device,
}) => {
  const query = 'category=mobile-tablet&condition=used&price_max=150000&ordering=price'
  const page = await device.open(`/listings?${query}`)
  await ready(page)
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  const wanted = await idsFromServer(market, query, 20)
  await expect.poll(async () => (await shown(page)).slice(0, 20)).toEqual(wanted)
  await page.goto(`${device.url}/listings?category=vehicles&spec.fuel=diesel`)
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  const diesel = await idsFromServer(market, 'category=vehicles&spec.fuel=diesel', 10)
  await expect.poll(async () => (await shown(page)).slice(0, 10)).toEqual(diesel)
})

test('[S2.36] contradictory filters show no other results, and an error in the sheet', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await page.goto(
    `${device.url}/listings?category=vehicles&price_min=500000&price_max=100&spec.year=2010..2015`,
  )
  await expect(page.getByText('Un de ces filtres n’a pas pu être lu')).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await expect(
    page.getByRole('button', { name: /Retirer le filtre Année.: de 2010 à 2015/ }),
  ).toBeVisible()
  await page.getByRole('button', { name: /^Filtrer/ }).click()
  const sheet = page.getByRole('dialog', { name: 'Filtrer' })
  await expect(sheet.getByText('Le maximum est plus petit que le minimum.')).toBeVisible()
  await expect(sheet.getByRole('button', { name: /^(Voir|Aucune annonce)/ })).toBeDisabled()
  await sheet.getByLabel('Maximum').first().fill('9000000')
  await sheet.getByRole('button', { name: /^(Voir|Aucune annonce)/ }).click()
  await expect(page).toHaveURL(/price_max=9000000/)
  // Going back with the sheet open closes it together with its list.
  await page.getByRole('button', { name: /^Filtrer/ }).click()
  await expect(sheet).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(page).toHaveURL(/price_max=100&/)
  await expect(sheet).toBeHidden()
})

test('[S2.32] repeated filters in the URL become a list, as on the server', async ({
  market,
  device,
}) => {
  const page = await device.open('/listings?condition=new&condition=used')
  await ready(page)
  await expect(page.locator('[data-coverage="covered"]')).toBeVisible()
  await expect
    .poll(async () => (await shown(page)).slice(0, 20))
    .toEqual(await idsFromServer(market, 'condition=new&condition=used', 20))
  await expect(
    page.getByRole('group', { name: 'Filtres' }).getByRole('button', { pressed: true }),
  ).toHaveCount(1)
})

test('[S2.23] [S2.36] going back from a listing restores the exact scroll position', async ({
  device,
}) => {
  const page = await device.open('/listings')
  await ready(page)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 3000)
      return (await shown(page)).length
    })
    .toBeGreaterThan(40)
  const far = cards(page).nth(35)
  await far.scrollIntoViewIfNeeded()
  // A wheel may still be scrolling: the position counts at the moment of the click.
  await page.evaluate(() =>
    addEventListener('click', () => (document.documentElement.dataset['left'] = String(scrollY)), {
      capture: true,
      once: true,
    }),
  )
  const id = await far.getAttribute('data-listing')
  await far.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  const before = Number(await page.locator('html').getAttribute('data-left'))
  expect(before).toBeGreaterThan(0)
  await page.goBack()
  await expect(page.locator(`article[data-listing="${id}"]`)).toBeInViewport()
  await expect
    .poll(async () => Math.abs((await page.evaluate(() => scrollY)) - before))
    .toBeLessThan(40)
})

test('[S2.32] [S5.07] [S9.23] [S9.24] search suggests from two characters, stores searches, closes on Escape', async ({
  device,
}) => {
  const page = await device.open('/')
  await ready(page)
  const box = page.getByRole('searchbox', { name: 'Rechercher une annonce' }).first()
  await box.click()
  await box.pressSequentially('to')
  await expect(page.getByRole('option').first()).toBeVisible()
  expect(await page.getByRole('option').count()).toBeLessThanOrEqual(6)
  await box.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await box.fill('  toyota  ')
  await box.press('Enter')
  await expect(page).toHaveURL(/search=toyota(&|$)/)
  await expect(cards(page).first()).toBeVisible()
  const kept = await page.evaluate(() => localStorage.getItem('recentSearches'))
  expect(kept).toContain('toyota')
})

test('[S2.36] grid and compact view, and the choice is remembered', async ({ device }) => {
  const page = await device.open('/listings')
  await ready(page)
  const first = cards(page).first()
  const grid = await first.boundingBox()
  await page.getByRole('button', { name: /compact/i }).click()
  await expect
    .poll(async () => (await first.boundingBox())?.width ?? 0)
    .toBeGreaterThan((grid?.width ?? 0) * 1.5)
  await page.reload()
  await ready(page)
  await expect
    .poll(async () => (await first.boundingBox())?.width ?? 0)
    .toBeGreaterThan((grid?.width ?? 0) * 1.5)
})

/** Hides the app for a moment: it stores its first screen, however far the list has grown. */
async function keptWhenLeft(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await caches.open('screens')).delete('/listings')
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await screenKept(page)
}
