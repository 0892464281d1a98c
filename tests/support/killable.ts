import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Page, chromium } from '@playwright/test'
import { chromium as path, flags } from './chromium.ts'

/** A browser in a process of its own, which can be killed with SIGKILL, as Android does. */
export class Killable {
  readonly page: Page
  readonly #process: ChildProcess

  private constructor(page: Page, process: ChildProcess) {
    this.page = page
    this.#process = process
  }

  static async start(profile: string): Promise<Killable> {
    const portFile = join(profile, 'DevToolsActivePort')
    rmSync(portFile, { force: true })
    const args = [
      ...flags,
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--lang=fr-FR',
      '--window-size=360,740',
      'about:blank',
    ]
    const process = spawn(path(), args, { detached: true, stdio: 'ignore' })
    // The browser writes its port to this file once it is ready.
    while (!existsSync(portFile) || readFileSync(portFile, 'utf8') === '') {
      if (process.exitCode !== null) throw new Error(`the browser ended with ${process.exitCode}`)
      await pause(20)
    }
    const [port] = readFileSync(portFile, 'utf8').split('\n')
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const [context] = browser.contexts()
    if (!context) throw new Error('no context')
    return new Killable(await context.newPage(), process)
  }

  async kill(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.#process.once('exit', () => resolve()))
    // The whole process group, including renderers.
    if (this.#process.pid !== undefined) process.kill(-this.#process.pid, 'SIGKILL')
    await gone
  }
}
