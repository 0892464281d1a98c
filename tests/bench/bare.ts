import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { chromium as path, flags } from '../support/chromium.ts'
import { discard } from '../support/folder.ts'

/**
 * A browser without a test driver. A driver's debugger captures a stack for every Error, for which
 * V8 parses React again: 40 ms of the first screen that no real device spends.
 */
export class BareDevice {
  readonly #port: number

  constructor(port: number) {
    this.#port = port
  }

  async newPage(): Promise<BarePage> {
    const made: unknown = await (
      await fetch(`http://127.0.0.1:${this.#port}/json/new?about:blank`, { method: 'PUT' })
    ).json()
    const { id, webSocketDebuggerUrl } = v.parse(
      v.object({ id: v.string(), webSocketDebuggerUrl: v.string() }),
      made,
    )
    const socket = new WebSocket(webSocketDebuggerUrl)
    await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
    const page = new BarePage(socket, () =>
      fetch(`http://127.0.0.1:${this.#port}/json/close/${id}`),
    )
    await page.send('Page.enable')
    await page.send('Emulation.setDeviceMetricsOverride', {
      width: 360,
      height: 640,
      deviceScaleFactor: 2,
      mobile: true,
    })
    await page.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    return page
  }
}

const message = v.object({
  id: v.optional(v.number()),
  method: v.optional(v.string()),
  params: v.optional(v.unknown()),
  result: v.optional(v.unknown()),
})
const paused = v.object({ requestId: v.string() })
const evaluated = v.object({ result: v.object({ value: v.optional(v.unknown()) }) })

const DOT = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

export class BarePage {
  readonly #socket: WebSocket
  readonly #leave: () => Promise<unknown>
  readonly #answers = new Map<number, (result: unknown) => void>()
  #sent = 0

  constructor(socket: WebSocket, leave: () => Promise<unknown>) {
    this.#socket = socket
    this.#leave = leave
    socket.addEventListener('message', ({ data }) =>
      this.#take(v.parse(message, JSON.parse(String(data)))),
    )
  }

  send(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = ++this.#sent
    this.#socket.send(JSON.stringify({ id, method, params }))
    return new Promise((resolve) => this.#answers.set(id, resolve))
  }

  async slow(times: number): Promise<void> {
    await this.send('Emulation.setCPUThrottlingRate', { rate: times })
  }

  /** Photos have a budget of their own: replaces each with a dot. */
  async withoutPhotos(): Promise<void> {
    await this.send('Fetch.enable', { patterns: [{ urlPattern: '*/media/*' }] })
  }

  /** Runs `script` before the page's own; opens the URL; returns `expression` once it is true. */
  async visit(url: string, script: string, expression: string): Promise<unknown> {
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
    await this.send('Page.navigate', { url })
    for (const end = Date.now() + 120_000; Date.now() < end; await wait(250)) {
      const { result } = v.parse(
        evaluated,
        await this.send('Runtime.evaluate', { expression, returnByValue: true }),
      )
      if (result.value !== undefined && result.value !== false) return result.value
    }
    throw new Error(`${url}: ${expression} never came`)
  }

  async close(): Promise<void> {
    await this.#leave()
    this.#socket.close()
  }

  #take({ id, method, params, result }: v.InferOutput<typeof message>): void {
    if (id !== undefined) this.#answers.get(id)?.(result)
    if (method !== 'Fetch.requestPaused') return
    void this.send('Fetch.fulfillRequest', {
      requestId: v.parse(paused, params).requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'content-type', value: 'image/gif' }],
      body: DOT,
    })
  }
}

/** `profile`: left by an earlier visit; without one the profile is new, and deleted afterwards. */
export async function withBareDevice<T>(
  use: (device: BareDevice) => Promise<T>,
  profile?: string,
): Promise<T> {
  const folder = profile ?? mkdtempSync(join(tmpdir(), 'device-'))
  rmSync(join(folder, 'DevToolsActivePort'), { force: true })
  const browser = spawn(
    path(),
    [
      ...flags,
      '--headless',
      '--lang=fr-FR',
      '--accept-lang=fr-FR',
      '--window-size=360,640',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  )
  try {
    return await use(new BareDevice(await portOf(folder)))
  } finally {
    await ended(browser)
    if (profile === undefined) discard(folder)
  }
}

async function portOf(folder: string): Promise<number> {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(100)) {
    try {
      const port = Number(readFileSync(join(folder, 'DevToolsActivePort'), 'utf8').split('\n')[0])
      // The file exists before its content.
      if (port > 0) return port
    } catch {
      // Not written yet.
    }
  }
  throw new Error('the browser opened no port')
}

async function ended(browser: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => browser.once('exit', resolve))
  browser.kill()
  await gone
}
