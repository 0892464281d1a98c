import { type Browser, chromium, expect, type Page, test } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import { build, preview, type PreviewServer } from 'vite'
import { states } from '../gallery/states.ts'
import { chromium as path, flags } from '../support/chromium.ts'
import { faultless } from './faultless.ts'
import { fitForFingers } from './targets.ts'

/** Each state of the gallery, alone in Chromium. */

const configFile = fileURLToPath(new URL('../gallery/vite.config.ts', import.meta.url))
let served: PreviewServer
let browser: Browser

// Some fifty pages, each read four times.
test.setTimeout(600_000)

test.beforeAll(async () => {
  await build({ configFile, logLevel: 'error' })
  served = await preview({ configFile, preview: { port: 0, host: '127.0.0.1' } })
  browser = await chromium.launch({ executablePath: path(), args: flags })
})

test.afterAll(async () => {
  await browser.close()
  await served.close()
})

const looks = [
  { look: 'a phone, French', width: 360, height: 640, lang: 'fr', theme: 'light' },
  { look: 'a wide screen, English, dark', width: 1280, height: 800, lang: 'en', theme: 'dark' },
] as const

for (const { look, width, height, lang, theme } of looks)
  test(`[DESIGN 1] every state of the gallery on ${look}`, async () => {
    const page = await browser.newPage({
      viewport: { width, height },
      colorScheme: theme,
      hasTouch: width < 900,
      isMobile: width < 900,
    })
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    for (const { name, shows } of states)
      await test.step(name, async () => {
        await page.goto(`${address()}?${new URLSearchParams({ state: name, lang, theme })}`)
        if (lang === 'fr') await expect(page.locator('body')).toContainText(shows)
        else await expect(page.locator('h1').first()).toBeAttached()
        await faultless(page)
        await fitForFingers(page)
        await expectNoSidewaysScroll(page)
        // Text twice as large, as set in a browser or a phone.
        await page.addStyleTag({ content: 'html { font-size: 200% }' })
        await expectNoSidewaysScroll(page)
        expect(errors.splice(0), name).toEqual([])
      })
    await page.close()
  })

function address(): string {
  const [url] = served.resolvedUrls?.local ?? []
  if (url === undefined) throw new Error('the gallery is not served')
  return url
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
  expect(over, page.url()).toBeLessThanOrEqual(0)
}
