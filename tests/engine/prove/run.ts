import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { live, type Plan, STEPS } from '../model/run.ts'
import type { FromWorker, Lived, ToWorker } from './messages.ts'
import { classOf, commandOf } from './shrink.ts'

/**
 * `npm run prove -- 100000 [--seed-from N] [--plain]`: so many lives on all cores; each way to fail is told once, as short as
 * it can be made. `--seed N` (with `--steps`, `--only`, `--without`) plays one again.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'seed-from': { type: 'string', default: '1' },
    plain: { type: 'boolean', default: false },
    seed: { type: 'string' },
    steps: { type: 'string', default: String(STEPS) },
    only: { type: 'string' },
    without: { type: 'string', default: '' },
  },
})
const BATCH = 25
/** Ways to fail that are made short; the others are only counted. */
const MOST_STORIES = 12
const PROGRESS_MS = 20_000

/** Plays one life and tells it. */
async function tell(plan: Plan): Promise<boolean> {
  const warn = console.warn
  console.warn = () => undefined
  const { log, wrongs } = await live(plan)
  console.warn = warn
  console.log([...log, '', ...(wrongs.length === 0 ? ['Nothing went wrong.'] : wrongs)].join('\n'))
  if (wrongs.length > 0) process.exitCode = 1
  return wrongs.length === 0
}

async function prove(lives: number, from: number): Promise<void> {
  const started = performance.now()
  const workers = Array.from({ length: Math.min(availableParallelism(), Math.ceil(lives / BATCH)) }, () => new Core(values.plain))
  const whole = new Whole()
  let next = from
  const progress = setInterval(() => console.log(whole.line(lives, performance.now() - started)), PROGRESS_MS)
  await Promise.all(
    workers.map(async (core) => {
      while (next < from + lives) {
        const batch = { kind: 'live', from: next, to: Math.min(next + BATCH, from + lives) } as const
        next = batch.to
        const said = await core.ask(batch)
        if (said.kind === 'lived') whole.add(said)
      }
    }),
  )
  clearInterval(progress)
  console.log(whole.line(lives, performance.now() - started))
  console.log(`queued: ${figures(whole.queued)}`)
  console.log(`happened: ${figures(whole.happened)}`)
  const ways = [...Map.groupBy(whole.failed, ({ wrong }) => classOf(wrong))].toSorted(([, a], [, b]) => b.length - a.length)
  const stories = ways.slice(0, MOST_STORIES).flatMap(([, [first]]) => first ?? [])
  const shrunk: Plan[] = []
  await Promise.all(
    workers.map(async (core) => {
      for (let one = stories.shift(); one; one = stories.shift()) {
        const said = await core.ask({ kind: 'shrink', plan: { seed: one.seed, keys: !values.plain }, wrong: one.wrong })
        if (said.kind === 'shrunk') shrunk.push(said.plan)
      }
    }),
  )
  await Promise.all(workers.map((core) => core.end()))
  for (const [way, failed] of ways) console.log(`\n${failed.length} lives: ${way}\n  seeds ${failed.slice(0, 8).map(({ seed }) => seed).join(', ')}`)
  for (const plan of shrunk) {
    console.log(`\n${commandOf(plan)}`)
    await tell(plan)
  }
  if (whole.failed.length > 0) process.exitCode = 1
}

/** A worker that is asked one thing at a time. */
class Core {
  readonly #worker: Worker

  constructor(plain: boolean) {
    this.#worker = new Worker(new URL('lives.ts', import.meta.url), { workerData: plain ? 'plain' : 'keys' })
  }

  ask(task: ToWorker): Promise<FromWorker> {
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => reject(error)
      this.#worker.once('error', failed)
      this.#worker.once('message', (said: FromWorker) => {
        this.#worker.off('error', failed)
        resolve(said)
      })
      this.#worker.postMessage(task)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** What all cores came to. */
class Whole {
  lives = 0
  sent = 0
  readonly queued = new Map<string, number>()
  readonly happened = new Map<string, number>()
  readonly failed: { readonly seed: number; readonly wrong: string }[] = []

  add({ lives, sent, queued, happened, failed }: Lived): void {
    this.lives += lives
    this.sent += sent
    for (const [name, times] of queued) this.queued.set(name, (this.queued.get(name) ?? 0) + times)
    for (const [name, times] of happened) this.happened.set(name, (this.happened.get(name) ?? 0) + times)
    this.failed.push(...failed)
  }

  line(of: number, ms: number): string {
    return `${this.lives} of ${of} lives in ${(ms / 1000).toFixed(0)} s (${((this.lives * 1000) / ms).toFixed(1)} a second), ${this.sent} sent, ${this.failed.length} failed`
  }
}

function figures(counts: ReadonlyMap<string, number>): string {
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name, times]) => `${name} ${times}`).join(', ')
}

if (values.seed === undefined) await prove(Number(positionals[0] ?? 1000), Number(values['seed-from']))
else await tell({ seed: Number(values.seed), keys: !values.plain, steps: Number(values.steps), ...(values.only !== undefined && { only: values.only.split(',').filter((step) => step !== '').map(Number) }), without: values.without === '' ? [] : values.without.split(',') })
