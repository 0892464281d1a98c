import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { compressWith, patternOf } from '../../server/http/pages/deltas.ts'
import { discard } from '../support/folder.ts'
import { type Product, startProduct } from '../support/product.ts'
import { Proxy } from '../support/proxy.ts'
import { withDevice } from './browser.ts'
import { type Figure, median } from './measure.ts'

const COMMITS = 20

interface Cost {
  /** At the proxy, heads included. */
  readonly received: number
  readonly sent: number
  /** Calculated, heads not included: of what was received, and of the same files sent whole. */
  readonly bodies: number
  readonly whole: number
  readonly files: number
}

/**
 * What a phone that has all files pays for an update at each of the last commits that touched src:
 * their sources, built as today, one after the other at the same address.
 */
export async function updates(): Promise<readonly Figure[]> {
  const commits = git('log', `-${COMMITS + 1}`, '--no-merges', '--format=%H', '--', 'src')
    .trim()
    .split('\n')
    .toReversed()
  const folder = mkdtempSync(join(tmpdir(), 'updates-'))
  const work = join(folder, 'work')
  git('worktree', 'add', '--detach', work)
  symlinkSync(resolve('node_modules'), join(work, 'node_modules'))
  let costs: readonly Cost[] = []
  try {
    const builds = commits.map((commit, at) => build(work, commit, join(folder, String(at))))
    costs = await costsOf(builds)
  } finally {
    git('worktree', 'remove', '--force', work)
    rmSync(folder, { recursive: true })
  }
  const values = (of: (cost: Cost) => number): readonly number[] => costs.map(of)
  const total = values(({ received, sent }) => received + sent)
  const figure = (what: string, bytes: number, reach?: number): Figure => ({
    what: `update, ${what} of ${costs.length}`,
    value: bytes / 1024,
    unit: 'KB',
    ...(reach !== undefined && { reach }),
  })
  return [
    figure('received and sent, heads included, median', median(total), 30),
    figure('the same, largest', Math.max(...total)),
    figure('bodies received, median', median(values(({ bodies }) => bodies))),
    figure('heads received, median', median(values(({ received, bodies }) => received - bodies))),
    figure('heads sent, median', median(values(({ sent }) => sent))),
    figure(
      'received and sent without differences, median',
      median(values(({ received, sent, bodies, whole }) => received + sent - bodies + whole)),
    ),
    {
      what: `update, files with new names, median of ${costs.length}`,
      value: median(values(({ files }) => files)),
      unit: 'files',
    },
  ]
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' })

function build(work: string, commit: string, to: string): string {
  const within = { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] as const }
  execFileSync('git', ['checkout', '--quiet', '--force', commit], { ...within, stdio: 'ignore' })
  for (const name of ['build', 'vite.config.ts']) {
    rmSync(join(work, name), { recursive: true })
    cpSync(name, join(work, name), { recursive: true })
  }
  // Earlier sources lack some of the chunks that today's build names.
  const kept = join(work, 'build/markKeptScreens.ts')
  const lenient = readFileSync(kept, 'utf8').replaceAll(
    /throw new Error\(`.* no chunk .*`\)/g,
    'continue',
  )
  writeFileSync(kept, lenient)
  execFileSync('vite', ['build', '--logLevel', 'error'], { ...within, stdio: 'ignore' })
  cpSync(join(work, 'dist/web'), to, { recursive: true })
  return to
}

async function costsOf(builds: readonly string[]): Promise<readonly Cost[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'market-'))
  const serve = (build: string, port = 0): Promise<Product> =>
    startProduct({ dataDir, port, env: { WEB_DIR: build, RATE_LIMITS: 'off' } })
  const [first = '', ...later] = builds
  let market = await serve(first)
  const proxy = await new Proxy(market.port).listen()
  const costs: Cost[] = []
  try {
    await withDevice(async (device) => {
      const page = await device.newPage()
      // A document without scripts and policy: only the service worker fetches.
      await page.goto(`${proxy.url}/icon.svg`)
      await installed(page, first)
      let before = first
      for (const after of later) {
        await market.stop()
        market = await serve(after, market.port)
        proxy.count()
        await updated(page)
        costs.push({ ...proxy.count(), ...(await bodiesOf(before, after)) })
        await takenOver(page)
        before = after
      }
    })
  } finally {
    await proxy.close()
    await market.stop()
    discard(dataDir)
  }
  return costs
}

const sameFile = (name: string, before: string, after: string): boolean =>
  readFileSync(join(before, name)).equals(readFileSync(join(after, name)))

/** Installs the service worker; resolves once it has cached every file of the build. */
async function installed(page: Page, build: string): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ type: 'keep', files: 'all' })
  })
  const files = readFileSync(join(build, 'sw.js'), 'utf8').match(/"url":/g)?.length
  await page.waitForFunction(async (count) => {
    const names = await caches.keys()
    const kept = names.map(async (name) => (await (await caches.open(name)).keys()).length)
    return (await Promise.all(kept)).reduce((sum, one) => sum + one, 0) === count
  }, files)
}

/** Looks for an update; resolves once its service worker has cached its files. */
async function updated(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
    const next = registration.installing
    if (!next) return
    await new Promise((resolve) => next.addEventListener('statechange', resolve, { once: true }))
    if (next.state !== 'installed') throw new Error('the update failed')
  })
}

async function takenOver(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { waiting } = await navigator.serviceWorker.ready
    if (!waiting) return
    waiting.postMessage({ type: 'skip-waiting' })
    while (waiting.state !== 'activated')
      await new Promise((resolve) =>
        waiting.addEventListener('statechange', resolve, { once: true }),
      )
  })
}

/** Of the page, the service worker and every file that the build before has not. */
async function bodiesOf(before: string, after: string): Promise<Omit<Cost, 'received' | 'sent'>> {
  const old = globSync(`${before}/assets/*.{js,css}`)
  const names = new Set(old.map((file) => basename(file)))
  const sizeOf = (file: string) => statSync(`${file}.br`, { throwIfNoEntry: false })?.size
  let whole = 0
  if (!sameFile('sw.js', before, after))
    for (const name of ['index.html', 'sw.js'])
      whole += sizeOf(join(after, name)) ?? statSync(join(after, name)).size
  let bodies = whole
  let files = 0
  for (const file of globSync(`${after}/assets/*.{js,css}`)) {
    if (names.has(basename(file))) {
      // Caches would keep the earlier content for ever.
      if (!readFileSync(file).equals(readFileSync(join(before, 'assets', basename(file)))))
        throw new Error(`${basename(file)} has two contents`)
      continue
    }
    files += 1
    const size = sizeOf(file) ?? statSync(file).size
    const pattern = patternOf(`/assets/${basename(file)}`)
    const dictionary = old.find((one) => patternOf(`/assets/${basename(one)}`) === pattern)
    const changed =
      dictionary === undefined
        ? size
        : (await compressWith(readFileSync(dictionary), readFileSync(file))).byteLength + 40
    whole += size
    bodies += Math.min(size, changed)
  }
  return { bodies, whole, files }
}
