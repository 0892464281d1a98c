import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, type Page, chromium } from '@playwright/test'
import { chromium as path, flags } from '../support/chromium.ts'
import { discard } from '../support/folder.ts'
import type { BarePage } from './bare.ts'

/** CPU slowdown that simulates a device (users.json). */
export const SLOWED = 6

/** A browser with its own profile, which is deleted afterwards unless `kept` is given. */
export async function withDevice<T>(
  use: (device: BrowserContext) => Promise<T>,
  kept?: string,
): Promise<T> {
  const profile = kept ?? mkdtempSync(join(tmpdir(), 'device-'))
  const device = await chromium.launchPersistentContext(profile, {
    executablePath: path(),
    args: flags,
    viewport: { width: 360, height: 640 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale: 'fr-FR',
  })
  try {
    return await use(device)
  } finally {
    await device.close()
    if (kept === undefined) discard(profile)
  }
}

const sessions = new WeakMap<Page, CDPSession>()

/** One session per page: two sessions would each set their own rate again after a navigation. */
export async function slow(page: Page, times = SLOWED): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
}

/** ms since the navigation began: rows visible, and the first tap that a button answered. */
export interface Visit {
  readonly visible: number
  readonly tap: number
  readonly longest: number
  /** Cumulative layout shift without input (https://web.dev/articles/cls). */
  readonly shift: number
  /** All photos in sight are loaded; 0: not waited for. */
  readonly photos: number
}

export interface Marks {
  readonly rows: string
  readonly count: number
  /** A button whose `aria-expanded` changes on a tap; null: wait for `data-ready` [SURFACE 2]. */
  readonly button: string | null
  /** So many photos are waited for, those in sight. */
  readonly photos?: number
}

/**
 * Opens a URL and observes each frame inside the page, so that no round trip of the driver counts.
 * Rows count as visible when the main thread is done with the frame that has them.
 */
export async function visit(page: BarePage, url: string, marks: Marks): Promise<Visit> {
  return read(
    await page.visit(url, `(${String(watch)})(${JSON.stringify(marks)})`, 'window.benchNoted'),
  )
}

function read(noted: unknown): Visit {
  const field = (name: string): number => {
    const value: unknown =
      typeof noted === 'object' && noted !== null ? Reflect.get(noted, name) : null
    if (typeof value !== 'number') throw new Error(`the page noted no ${name}`)
    return value
  }
  return {
    visible: field('visible'),
    tap: field('tap'),
    longest: field('longest'),
    shift: field('shift'),
    photos: field('photos'),
  }
}

/** Runs in the page. */
function watch(marks: Marks): void {
  let longest = 0
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) longest = Math.max(longest, task.duration)
  }).observe({ type: 'longtask', buffered: true })
  let shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value: unknown = Reflect.get(entry, 'value')
      if (typeof value === 'number' && Reflect.get(entry, 'hadRecentInput') !== true) shift += value
    }
  }).observe({ type: 'layout-shift', buffered: true })
  let visible = 0
  let watched = false
  let noted = false
  let photos = 0
  const inSight = (): boolean =>
    [...document.images].filter(
      (image) => image.complete && image.naturalWidth > 0 && image.currentSrc.includes('/media/'),
    ).length >= (marks.photos ?? 0)
  const look = (tap: number): void => {
    if (inSight()) {
      photos = marks.photos === undefined ? 0 : performance.now()
      Reflect.set(window, 'benchNoted', { visible, tap, longest, shift, photos })
    } else setTimeout(() => look(tap), 50)
  }
  const frame = (): void => {
    if (visible === 0 && document.querySelectorAll(marks.rows).length >= marks.count) {
      // postTask with high priority: a timer or a message would
      // wait behind scripts that arrived meanwhile.
      void scheduler.postTask(() => (visible ||= performance.now()), { priority: 'user-blocking' })
    }
    const note = (): void => {
      if (!noted) look(performance.now())
      noted = true
    }
    if (noted) return
    if (visible > 0 && marks.button === null && 'ready' in document.documentElement.dataset)
      return note()
    const button = marks.button === null ? null : document.querySelector<HTMLElement>(marks.button)
    if (visible > 0 && button !== null) {
      // The first change is the answer: a page may replay an earlier tap.
      if (!watched)
        new MutationObserver(note).observe(button, { attributeFilter: ['aria-expanded'] })
      watched = true
      button.click()
    }
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}
