import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { type Picked, plainJpeg } from '../support/camera.ts'
import { discard } from '../support/folder.ts'
import { Killable } from '../support/killable.ts'
import type { Product } from '../support/product.ts'
import { choose, gallery, keptDrafts, photos } from '../support/wizard.ts'
import type { Figure } from './measure.ts'
import { newSeller, opened } from './seller.ts'

const KILLS = 50
const PER_DRAFT = 10
const SAFE_AFTER_MS = 1000
const SEED = 20_260_307

interface Seen {
  readonly at: number
  readonly title: string
  readonly description: string
  readonly photos: number
}

/** Kills the browser 50 times during writing, and checks what the device still has. */
export async function wizardKills(market: Product): Promise<readonly Figure[]> {
  const profile = mkdtempSync(join(tmpdir(), 'killed-'))
  const seller = await newSeller(market)
  const chance = dice(SEED)
  const picture = await plainJpeg('photo.jpg', '#c08000', 640, 480)
  const ids = new Set<string>()
  let [lost, doubled, written] = [0, 0, 0]
  /** The current draft; null: a new one is begun. */
  let draft: string | null = null
  let seen: readonly Seen[] = []
  let killedAt = 0
  try {
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const device = await Killable.start(profile)
      const { page } = device
      if (kill === 0) await opened(page, market.url, seller)
      else
        await page.addInitScript((token) => localStorage.setItem('authToken', token), seller.token)
      if (draft !== null) await page.goto(`${market.url}/create-listing?draft=${draft}&step=core`)
      else await page.goto(`${market.url}/create-listing`)
      await page.waitForSelector('html[data-ready]')
      const kept = await keptDrafts(page)
      const unknown = kept.filter(({ id }) => !ids.has(id))
      // A draft begun at the very moment of the kill has no URL yet.
      if (draft === null && unknown.length === 1 && unknown[0]) ids.add((draft = unknown[0].id))
      else doubled += unknown.length > 0 ? 1 : 0
      if (draft !== null) lost += await missing(page, seen, killedAt)
      if (kill === KILLS) {
        await device.kill()
        break
      }
      if (kill % PER_DRAFT === 0) {
        draft = null
        await page.goto(`${market.url}/create-listing`)
      }
      const until = performance.now() + 400 + 2600 * chance()
      const writing = write(page, draft === null, picture, until, chance)
      await pause(until - performance.now())
      killedAt = performance.now()
      await device.kill()
      const done = await writing
      seen = done.seen
      written += seen.length
      if (done.draft !== null) ids.add((draft = done.draft))
    }
  } finally {
    discard(profile)
  }
  return [
    {
      what:
        `kills at ${KILLS} random moments of the wizard (${written} changes): ` +
        'times that something older than 1 s was lost',
      value: lost,
      unit: '',
      reach: 0,
    },
    { what: 'times that a draft was doubled', value: doubled, unit: '', reach: 0 },
  ]
}

/** Types, changes steps and adds photos until the kill; returns what the screen showed and when. */
async function write(
  page: Page,
  fresh: boolean,
  picture: Picked,
  until: number,
  chance: () => number,
): Promise<{ readonly seen: readonly Seen[]; readonly draft: string | null }> {
  const seen: Seen[] = []
  let draft: string | null = null
  try {
    if (fresh) await choose(page, 'Services')
    draft = new URL(page.url()).searchParams.get('draft')
    for (let word = 0; performance.now() < until + 5000; word += 1) {
      const choice = chance()
      if (choice < 0.1 && (await photos(page).count()) < 5)
        await gallery(page).setInputFiles([picture])
      else if (choice < 0.2) {
        await page.getByRole('button', { name: 'Retour' }).click()
        await page.getByRole('button', { name: 'Continuer' }).click()
      } else {
        const box = page.getByRole('textbox', { name: choice < 0.5 ? 'Titre' : 'Description' })
        await box.press('Control+End')
        await box.pressSequentially(`m${word % 10} `)
      }
      draft ??= new URL(page.url()).searchParams.get('draft')
      seen.push(await onScreen(page))
    }
  } catch (error) {
    // The kill ends the page during an action.
    if (!/closed|crashed|Target|detached/i.test(String(error))) throw error
  }
  return { seen, draft }
}

async function onScreen(page: Page): Promise<Seen> {
  const title = await page.getByRole('textbox', { name: 'Titre' }).inputValue()
  const description = await page.getByRole('textbox', { name: 'Description' }).inputValue()
  return { title, description, photos: await photos(page).count(), at: performance.now() }
}

/** 1: something is missing that was shown for more than a second before the kill. */
async function missing(page: Page, seen: readonly Seen[], killedAt: number): Promise<number> {
  const safe = seen.findLast(({ at }) => at < killedAt - SAFE_AFTER_MS)
  if (!safe) return 0
  await page.getByRole('textbox', { name: 'Titre' }).waitFor()
  const now = await onScreen(page)
  return now.title.startsWith(safe.title) &&
    now.description.startsWith(safe.description) &&
    now.photos >= safe.photos
    ? 0
    : 1
}

/** Mulberry32: the same moments in every run. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
