import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { compressWith, patternOf } from '../../server/http/pages/deltas.ts'
import { type Figure, median } from './measure.ts'

const COMMITS = 20
/** Head of an answer, as the server sends it over HTTP/1.1. */
const HEAD_BYTES = 450

/**
 * What a phone receives that updates at each of the last commits that touched src: their sources,
 * built as today. Bytes are calculated; the journey `release` counts them at a proxy.
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
  const costs: { readonly delta: number; readonly whole: number; readonly files: number }[] = []
  try {
    let before = ''
    for (const [at, commit] of commits.entries()) {
      const built = join(folder, String(at))
      build(work, commit, built)
      if (before !== '') costs.push(await costOf(before, built))
      before = built
    }
  } finally {
    git('worktree', 'remove', '--force', work)
    rmSync(folder, { recursive: true })
  }
  const figure = (what: string, values: readonly number[], reach?: number): Figure => ({
    what: `update, ${what} of ${values.length}`,
    value: median(values) / 1024,
    unit: 'KB',
    ...(reach !== undefined && { reach }),
  })
  const deltas = costs.map(({ delta }) => delta)
  return [
    figure('median', deltas, 30),
    { ...figure('largest', deltas), value: Math.max(...deltas) / 1024 },
    figure(
      'median without differences',
      costs.map(({ whole }) => whole),
    ),
    {
      ...figure(
        'files with new names, median',
        costs.map(({ files }) => files),
      ),
      value: median(costs.map(({ files }) => files)),
      unit: 'files',
    },
  ]
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' })

function build(work: string, commit: string, to: string): void {
  const within = { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] as const }
  execFileSync('git', ['checkout', '--quiet', '--force', commit], { ...within, stdio: 'ignore' })
  for (const name of ['build', 'vite.config.ts']) {
    rmSync(join(work, name), { recursive: true })
    cpSync(name, join(work, name), { recursive: true })
  }
  execFileSync('vite', ['build', '--logLevel', 'error'], { ...within, stdio: 'ignore' })
  cpSync(join(work, 'dist/web'), to, { recursive: true })
}

/** Bytes of the page, the service worker and every file that the build before has not. */
async function costOf(before: string, after: string) {
  const old = globSync(`${before}/assets/*.{js,css}`)
  const names = new Set(old.map((file) => basename(file)))
  const sizeOf = (file: string) => statSync(`${file}.br`, { throwIfNoEntry: false })?.size
  let whole = 0
  for (const name of ['index.html', 'sw.js'])
    whole += HEAD_BYTES + (sizeOf(join(after, name)) ?? statSync(join(after, name)).size)
  let delta = whole
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
    whole += size + HEAD_BYTES
    delta += Math.min(size, changed) + HEAD_BYTES
  }
  return { delta, whole, files }
}
