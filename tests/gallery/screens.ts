import { mkdirSync, writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { chromium as path, flags } from '../support/chromium.ts'
import { serveGallery } from './serve.ts'

/** `npm run screens`: pictures of the main screens, from the gallery, into docs/screens. */

const FOLDER = 'docs/screens'
const MOST_BYTES = 20_000

const screens = [
  ['home', 'Home'],
  ['list', 'List'],
  ['listing', 'Listing'],
  ['conversation', 'Conversation'],
  ['wizard', 'Wizard, category and photos'],
  ['wizard, core', 'Wizard, listing'],
  ['account', 'Account'],
] as const

interface Look {
  readonly title: string
  readonly width: number
  readonly height: number
  readonly language: 'fr' | 'en'
  readonly theme: 'light' | 'dark'
  readonly text?: string
  /** Of the picture, px. */
  readonly shown: number
}

const looks: readonly Look[] = [
  { title: '360', width: 360, height: 640, language: 'fr', theme: 'light', shown: 240 },
  { title: '360 dark', width: 360, height: 640, language: 'fr', theme: 'dark', shown: 240 },
  {
    title: '360 large text',
    width: 360,
    height: 640,
    language: 'fr',
    theme: 'light',
    text: '200%',
    shown: 240,
  },
  { title: '412 English', width: 412, height: 915, language: 'en', theme: 'light', shown: 240 },
  { title: '1280', width: 1280, height: 800, language: 'fr', theme: 'light', shown: 480 },
  {
    title: '1280 English dark',
    width: 1280,
    height: 800,
    language: 'en',
    theme: 'dark',
    shown: 480,
  },
]

const fileOf = (state: string, look: string): string =>
  `${state}-${look}.webp`.toLowerCase().replaceAll(/[ ,]+/g, '-')

/** As good as fits into `MOST_BYTES`. */
async function picture(png: Buffer, width: number): Promise<Buffer> {
  for (let quality = 70; quality > 10; quality -= 10) {
    const small = await sharp(png).resize({ width }).webp({ quality, effort: 6 }).toBuffer()
    if (small.length <= MOST_BYTES) return small
  }
  throw new Error('a picture of this screen is too large')
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function table(used: readonly Look[]): string {
  return [
    row(['', ...used.map(({ title }) => title)]),
    row(['', ...used].map(() => '---')),
    ...screens.map(([state, name]) =>
      row([name, ...used.map(({ title }) => `![](${fileOf(state, title)})`)]),
    ),
  ].join('\n')
}

const gallery = await serveGallery()
const browser = await chromium.launch({ executablePath: path(), args: [...flags] })
mkdirSync(FOLDER, { recursive: true })
let bytes = 0
for (const { title, width, height, language, theme, text = '100%', shown } of looks) {
  const context = await browser.newContext({
    baseURL: gallery.url,
    viewport: { width, height },
    isMobile: width < 900,
    hasTouch: width < 900,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  for (const [state] of screens) {
    const query = new URLSearchParams({ state, lang: language, theme })
    await page.goto(`/?${query.toString()}`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, text)
    await page.waitForLoadState('networkidle')
    const small = await picture(await page.screenshot(), shown)
    bytes += small.length
    writeFileSync(`${FOLDER}/${fileOf(state, title)}`, small)
  }
  await context.close()
}
const narrow = looks.filter(({ width }) => width < 900)
const wide = looks.filter(({ width }) => width >= 900)
writeFileSync(
  `${FOLDER}/README.md`,
  `# Screens

The main screens in the states of the gallery, at the width that a column names (CSS px); large
text is 200 %. \`npm run screens\` makes them anew.

## On a phone

${table(narrow)}

## In a wide window

${table(wide)}
`,
)
await browser.close()
await gallery.close()
console.log(`${screens.length * looks.length} pictures, ${Math.round(bytes / 1000)} kB`)
