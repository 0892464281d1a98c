import puppeteer, { type ElementHandle, type Page } from 'puppeteer-core'
import { found } from '../support/installed.ts'
import { type Engine, finder, type Offer, type Tab, until } from './tab.ts'

/** Firefox over its built-in WebDriver BiDi, without geckodriver. */
export function firefox(): Offer {
  const path = found(['/usr/bin/firefox-esr', '/usr/bin/firefox'], 'firefox-esr')
  return {
    name: 'Firefox',
    missing:
      path === null
        ? 'Firefox is not here. Install it (Debian: sudo apt-get install firefox-esr).'
        : null,
    launch: () => launch(path ?? ''),
  }
}

async function launch(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    args: ['--width=400', '--height=800'],
    extraPrefsFirefox: { 'intl.accept_languages': 'fr' },
  })
  return {
    name: 'Firefox',
    version: await browser.version(),
    newTab: async () => tabOf(await browser.newPage()),
    close: () => browser.close(),
  }
}

function tabOf(page: Page): Tab {
  let marks = 0
  /** Marks the element in the page, since only a selector gives a typed handle. */
  const handle = async (selector: string, words: string): Promise<ElementHandle> =>
    until(`${selector} “${words}”`, async () => {
      const mark = `found${++marks}`
      const marked = await page.evaluate(
        `(${finder})(${JSON.stringify(selector)}, ${JSON.stringify(words)})?.toggleAttribute('data-${mark}', true)`,
      )
      return marked === true ? page.$(`[data-${mark}]`) : null
    })
  return {
    async go(url) {
      await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 60_000 })
    },
    ask: (source, ...args) =>
      page.evaluate(`(${source})(${args.map((arg) => JSON.stringify(arg)).join(', ')})`),
    async tap(selector, words = '') {
      await (await handle(selector, words)).click()
    },
    async type(selector, label, words) {
      await (await handle(selector, label)).type(words)
    },
    async pick(file) {
      const input = await page.$('input[type=file]:not([capture])')
      if (!input) throw new Error('no input for a file')
      await input.uploadFile(file)
    },
  }
}
