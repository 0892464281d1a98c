import { type Browser, chromium } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import { list, member, Person, text } from '../support/api.ts'
import { chromium as path, flags } from '../support/chromium.ts'

/** Pictures of the main screens of a running demo market. */

interface Screen {
  readonly name: string
  readonly title: string
  /** Whether one is signed in, as the demo's `acheteur`. */
  readonly signedIn: boolean
  path(ids: Ids): string
}

interface Ids {
  readonly listing: string
  readonly conversation: string
}

const LIST = '/listings?category=motos'
const BYTES_OF_ONE = 13_000

const visited = { signedIn: false }
const own = { signedIn: true }

export const screens: readonly Screen[] = [
  { name: 'home', title: 'Home', ...visited, path: () => '/' },
  { name: 'list', title: 'List', ...visited, path: () => LIST },
  { name: 'listing', title: 'Listing', ...visited, path: (ids) => `/listings/${ids.listing}` },
  { name: 'register', title: 'Register', ...visited, path: () => '/auth?mode=register' },
  { name: 'messages', title: 'Messages', ...own, path: () => '/messages' },
  { name: 'chat', title: 'Chat', ...own, path: (ids) => `/messages/${ids.conversation}` },
  { name: 'wizard', title: 'Wizard', ...own, path: () => '/create-listing' },
  { name: 'account', title: 'Account', ...own, path: () => '/profile' },
]

export interface Look {
  readonly name: string
  readonly title: string
  readonly width: number
  readonly height: number
  readonly language: 'fr' | 'en'
  readonly colorScheme: 'light' | 'dark'
  readonly text: '100%' | '200%'
  /** Width of the picture, px. */
  readonly shown: number
}

const phone = { width: 360, height: 640, shown: 288 }
const largePhone = { width: 412, height: 915, shown: 256 }
const desktop = { width: 1280, height: 800, shown: 512 }
const french = { language: 'fr', colorScheme: 'light', text: '100%' } as const
const english = { ...french, language: 'en' } as const

/** Each size, language, theme and text size, and not all of their combinations. */
export const looks: readonly Look[] = [
  { name: '360', title: '360×640', ...phone, ...french },
  { name: '360-dark', title: '360×640, English, dark', ...phone, ...english, colorScheme: 'dark' },
  { name: '360-large', title: '360×640, text of 200 %', ...phone, ...french, text: '200%' },
  { name: '412', title: '412×915, English', ...largePhone, ...english },
  { name: '1280', title: '1280×800', ...desktop, ...french },
  {
    name: '1280-dark',
    title: '1280×800, English, dark',
    ...desktop,
    ...english,
    colorScheme: 'dark',
  },
  {
    name: '1280-large',
    title: '1280×800, English, text of 200 %',
    ...desktop,
    ...english,
    text: '200%',
  },
]

export interface Picture {
  /** Of its file. */
  readonly name: string
  readonly webp: Buffer
}

export const nameOf = (screen: Screen, look: Look): string => `${screen.name}-${look.name}.webp`

/** Of the market at this address. */
export async function* capture(url: string): AsyncGenerator<Picture> {
  const person = await new Person(url).signIn('acheteur')
  const ids = await idsOf(person)
  const browser = await chromium.launch({ executablePath: path(), args: [...flags] })
  for (const look of looks)
    for (const screen of screens) {
      const png = await take(browser, url, screen, look, person, ids)
      const webp = await smallOf(sharp(png).resize({ width: look.shown }), BYTES_OF_ONE)
      yield { name: nameOf(screen, look), webp }
    }
  await browser.close()
}

/** As good as fits. */
export async function smallOf(picture: Sharp, most: number): Promise<Buffer> {
  for (let quality = 70; quality > 0; quality -= 10) {
    const webp = await picture.webp({ quality, effort: 6 }).toBuffer()
    if (webp.length <= most) return webp
  }
  throw new Error('a picture of this screen is too large')
}

async function idsOf(person: Person): Promise<Ids> {
  const listings = list(await person.ask('GET', 'listings/?category=motos&page_size=50'), 'results')
  const conversations = list(await person.ask('GET', 'conversations/'), 'results')
  return {
    listing: text(
      listings.find((one) => Number(member(one, 'images_count')) > 1),
      'id',
    ),
    conversation: text(conversations[0], 'id'),
  }
}

async function take(
  browser: Browser,
  url: string,
  { signedIn, path: pathOf }: Screen,
  { width, height, language, colorScheme, text: size }: Look,
  { token }: Person,
  ids: Ids,
): Promise<Buffer> {
  const isNarrow = width < 900
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    isMobile: isNarrow,
    hasTouch: isNarrow,
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    ([chosen, session]) => {
      localStorage.setItem('appLanguage', chosen)
      if (session !== '') localStorage.setItem('authToken', session)
    },
    [language, signedIn ? token : ''] as const,
  )
  const page = await context.newPage()
  await page.goto(url + pathOf(ids))
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.evaluate((chosen) => {
    document.documentElement.style.fontSize = chosen
  }, size)
  await page.waitForLoadState('networkidle')
  const png = await page.screenshot()
  await context.close()
  return png
}
