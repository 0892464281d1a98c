import { type ChildProcess, spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { Builder, By, type WebDriver, type WebElement } from 'selenium-webdriver'
import { found } from '../support/installed.ts'
import { freePort } from '../support/product.ts'
import { type Engine, finder, type Offer, type Tab, until } from './tab.ts'

const BROWSER = '/usr/lib/*/webkit2gtk-*/MiniBrowser'

/** WebKitGTK over its own WebDriver, on Xvfb. `without`: features that an older Safari lacks. */
export function webkit(without: readonly string[] = []): Offer {
  const driver = found(['/usr/bin/WebKitWebDriver'], 'webkit2gtk-driver')
  const screen = found(['/usr/bin/Xvfb'], 'xvfb')
  const [binary] = globSync(BROWSER)
  const missing =
    driver === null || screen === null || binary === undefined
      ? 'WebKit or Xvfb is not here. Install them (Debian: sudo apt-get install webkit2gtk-driver xvfb).'
      : null
  return {
    name: 'WebKit',
    missing,
    launch: () => launch(driver ?? '', screen ?? '', binary ?? '', without),
  }
}

async function launch(
  driver: string,
  screen: string,
  binary: string,
  without: readonly string[],
): Promise<Engine> {
  const xvfb = spawn(
    screen,
    ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const display = await firstLine(xvfb)
  const port = await freePort()
  const served = spawn(driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display}`, LANGUAGE: 'fr', LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const server = `http://127.0.0.1:${port}`
  await until('the WebKit driver', () =>
    fetch(`${server}/status`).then(
      ({ ok }) => (ok ? true : null),
      () => null,
    ),
  )
  const args = [
    '--automation',
    ...(without.length > 0 ? [`--features=${without.map((name) => `-${name}`).join(',')}`] : []),
  ]
  const browser = await new Builder()
    .usingServer(server)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args } })
    .build()
  return {
    name: 'WebKit',
    version: (await browser.getCapabilities()).getBrowserVersion() ?? '?',
    newTab: () => Promise.resolve(tabOf(browser)),
    async close() {
      await browser.quit().catch(() => undefined)
      served.kill()
      xvfb.kill()
    },
  }
}

function firstLine(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    program.stdio[3]?.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))
    program.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)))
  })
}

function tabOf(driver: WebDriver): Tab {
  const element = (selector: string, words: string): Promise<WebElement> =>
    until(`${selector} “${words}”`, () =>
      driver.executeScript<WebElement | null>(`return (${finder})(...arguments)`, selector, words),
    )
  return {
    go: (url) => driver.get(url),
    ask: (source, ...args) =>
      driver.executeAsyncScript(
        'const done = arguments[arguments.length - 1]; ' +
          `Promise.resolve((${source})(...[...arguments].slice(0, -1))).then(done, () => done(null))`,
        ...args,
      ),
    async tap(selector, words = '') {
      await (await element(selector, words)).click()
    },
    async type(selector, label, words) {
      await (await element(selector, label)).sendKeys(words)
    },
    async pick(file) {
      await driver.findElement(By.css('input[type=file]:not([capture])')).sendKeys(file)
    },
  }
}
