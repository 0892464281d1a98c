import type { Browser, Locator, Page } from '@playwright/test'
import { type State, states } from '../gallery/states.ts'
import { expect, test as base } from './device.ts'
import { faultless } from './faultless.ts'
import { fitForFingers } from './targets.ts'

/** The states of `npm run gallery`, as setup.ts built and serves it. */

const sizes = {
  phone: { width: 360, height: 640 },
  desktop: { width: 1280, height: 800 },
} as const

/** One page per worker and size. */
const test = base.extend<object, { readonly phonePage: Page; readonly desktopPage: Page }>({
  phonePage: [({ chromium }, use) => openAt(chromium, 'phone', use), { scope: 'worker' }],
  desktopPage: [({ chromium }, use) => openAt(chromium, 'desktop', use), { scope: 'worker' }],
})

async function openAt(
  browser: Browser,
  size: keyof typeof sizes,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const narrow = size === 'phone'
  const context = await browser.newContext({
    baseURL: process.env['GALLERY'] ?? '',
    viewport: sizes[size],
    locale: 'fr-FR',
    hasTouch: narrow,
    isMobile: narrow,
    reducedMotion: 'reduce',
  })
  await use(await context.newPage())
  await context.close()
}

/** What the state is about. */
function subject(page: Page, { shows }: State): Locator {
  return typeof shows === 'string'
    ? page.getByText(shows).filter({ visible: true }).first()
    : page.getByRole(shows.role, { name: shows.name }).first()
}

/** Content that ends beyond the window's side, unless something scrolls it. Runs in the page. */
function beyondTheSide(): readonly string[] {
  const width = document.documentElement.clientWidth
  const found: string[] = []
  if (document.documentElement.scrollWidth > width)
    found.push(`page ${document.documentElement.scrollWidth}`)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const holder = node.parentElement
    if (holder === null || (node.textContent ?? '').trim() === '') continue
    if (holder.closest('.unseen, [hidden], dialog:not([open])') || !holder.checkVisibility())
      continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const { left, right } = range.getBoundingClientRect()
    if ((right > width + 1 || left < -1) && !isClipped(holder))
      found.push(`“${(node.textContent ?? '').trim().slice(0, 40)}” ${Math.round(right)}`)
  }
  return found

  function isClipped(from: HTMLElement): boolean {
    for (let one: HTMLElement | null = from; one !== null; one = one.parentElement)
      if (getComputedStyle(one).overflowX !== 'visible' && one !== document.body) return true
    return false
  }
}

async function fitsTheSide(page: Page, scale: string): Promise<void> {
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size
  }, scale)
  await expect.poll(() => page.evaluate(`(${beyondTheSide.toString()})()`), scale).toEqual([])
}

/** Our own words that an ellipsis ends, and choices that do not fit. Runs in the page. */
function cutWords(): readonly string[] {
  const pen = document.createElement('canvas').getContext('2d')
  return [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
    if (!element.checkVisibility() || element.closest('[dir="auto"], .unseen, dialog:not([open])'))
      return []
    const style = getComputedStyle(element)
    if (element instanceof HTMLSelectElement && pen) {
      pen.font = style.font
      const text = element.selectedOptions[0]?.text ?? ''
      const room =
        element.clientWidth -
        Number.parseFloat(style.paddingInlineStart) -
        Number.parseFloat(style.paddingInlineEnd)
      return pen.measureText(text).width > room + 1 ? [text] : []
    }
    const isCut = style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1
    return isCut && element.querySelector('[dir="auto"]') === null ? [element.innerText] : []
  })
}

const expectWholeWords = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(`(${cutWords.toString()})()`)).toEqual([])

/** Content that Chromium skips keeps the colours of the theme before. */
const SHOW_ALL = '* { content-visibility: visible !important }'

test.describe.configure({ mode: 'parallel' })

for (const state of states) {
  for (const size of state.wide === true ? (['phone', 'desktop'] as const) : (['phone'] as const)) {
    test(`[S13.65] ${state.name}, ${size}: readable, in reach and in sight`, async ({
      phonePage,
      desktopPage,
    }) => {
      const page = size === 'phone' ? phonePage : desktopPage
      await page.setViewportSize(sizes[size])
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`/?state=${encodeURIComponent(state.name)}`)
      await page.addStyleTag({ content: SHOW_ALL })
      await expect(subject(page, state)).toBeInViewport()
      if (state.path !== null) await expectWholeWords(page)
      const headings = page.locator('h1').filter({ visible: true })
      await expect(headings).toHaveCount(1)
      await fitForFingers(page)
      await faultless(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await faultless(page, 'html', ['color-contrast'])
      if (size === 'phone') await page.setViewportSize({ width: 320, height: 640 })
      for (const scale of ['100%', '200%']) await fitsTheSide(page, scale)
    })
  }
}

/** Each screen, without its other states. */
const screens = states.filter(({ name, path }) => path !== null && !name.includes(','))

for (const { name } of screens) {
  test(`[S13.65] ${name} in English: nothing is cut`, async ({ phonePage: page }) => {
    await page.setViewportSize(sizes.phone)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`/?state=${encodeURIComponent(name)}&lang=en`)
    await expect(page.locator('html[data-ready]')).toBeAttached()
    await expectWholeWords(page)
    await page.setViewportSize({ width: 320, height: 640 })
    for (const scale of ['100%', '200%']) await fitsTheSide(page, scale)
  })
}
