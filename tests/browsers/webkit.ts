import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Builder, By, type WebDriver, type WebElement } from 'selenium-webdriver'
import { found } from '../support/installed.ts'
import { freePort } from '../support/product.ts'
import { type Engine, finder, type Offer, type Tab, until } from './tab.ts'

const BROWSER = '/usr/lib/*/webkit2gtk-*/MiniBrowser'
const START_MS = 60_000

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
  // A process group of its own: the browser's processes end with the driver's.
  const served = spawn(driver, [`--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: `:${display}`, LANGUAGE: 'fr', LIBGL_ALWAYS_SOFTWARE: '1' },
  })
  const close = async (): Promise<void> => {
    await ended(served, ({ pid }) => pid !== undefined && process.kill(-pid, 'SIGKILL'))
    await ended(xvfb, (screen) => screen.kill())
  }
  try {
    const browser = await Promise.race([
      session(`http://127.0.0.1:${port}`, binary, without),
      // The driver never answers when the browser ends while it starts.
      pause(START_MS, null, { ref: false }).then(() => {
        throw new Error(`WebKit did not start within ${START_MS / 1000} s`)
      }),
    ])
    const version = (await browser.getCapabilities()).getBrowserVersion() ?? '?'
    return { name: 'WebKit', version, newTab: () => Promise.resolve(tabOf(browser)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function session(
  server: string,
  binary: string,
  without: readonly string[],
): Promise<WebDriver> {
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
  return new Builder()
    .usingServer(server)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args } })
    .build()
}

/** Resolves when the process has ended. */
async function ended(program: ChildProcess, kill: (program: ChildProcess) => void): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const gone = once(program, 'exit')
  kill(program)
  await gone
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
