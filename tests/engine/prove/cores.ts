import { Worker } from 'node:worker_threads'
import type { Plan } from '../model/run.ts'
import type { FromWorker, Lived, ToWorker } from './messages.ts'

const BATCH = 25

export interface Proving {
  readonly from: number
  readonly lives: number
  readonly plain: boolean
  readonly cores: number
  progress?(line: string): void
}

export async function prove({ from, lives, plain, cores, progress }: Proving): Promise<Whole> {
  const whole = new Whole(lives)
  let next = from
  await onCores(Math.min(cores, Math.ceil(lives / BATCH)), plain, async (core) => {
    while (next < from + lives) {
      const batch = { kind: 'live', from: next, to: Math.min(next + BATCH, from + lives) } as const
      next = batch.to
      const reply = await core.ask(batch)
      if (reply.kind === 'lived') whole.add(reply)
      progress?.(whole.line)
    }
  })
  return whole
}

/** For each way to fail, the shortest life found. */
export async function shrunk(
  failed: readonly { readonly plan: Plan; readonly wrong: string }[],
  plain: boolean,
  cores: number,
): Promise<readonly Plan[]> {
  const left = failed.slice()
  const plans: Plan[] = []
  await onCores(Math.min(cores, failed.length), plain, async (core) => {
    for (let one = left.shift(); one; one = left.shift()) {
      const reply = await core.ask({ kind: 'shrink', ...one })
      if (reply.kind === 'shrunk') plans.push(reply.plan)
    }
  })
  return plans
}

async function onCores(
  count: number,
  plain: boolean,
  work: (core: Core) => Promise<void>,
): Promise<void> {
  const cores = Array.from({ length: count }, () => new Core(plain))
  try {
    await Promise.all(cores.map((core) => work(core)))
  } finally {
    await Promise.all(cores.map((core) => core.end()))
  }
}

class Core {
  readonly #worker: Worker

  constructor(plain: boolean) {
    this.#worker = new Worker(new URL('lives.ts', import.meta.url), {
      workerData: plain ? 'plain' : 'keys',
    })
  }

  ask(task: ToWorker): Promise<FromWorker> {
    return new Promise((resolve, reject) => {
      const failed = (error: Error): void => reject(error)
      this.#worker.once('error', failed)
      this.#worker.once('message', (reply: FromWorker) => {
        this.#worker.off('error', failed)
        resolve(reply)
      })
      this.#worker.postMessage(task)
    })
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

export class Whole {
  readonly #of: number
  readonly #started = performance.now()
  #lives = 0
  #sent = 0
  #cpuMs = 0
  readonly queued = new Map<string, number>()
  readonly happened = new Map<string, number>()
  readonly failed: { readonly seed: number; readonly wrong: string }[] = []

  constructor(of: number) {
    this.#of = of
  }

  add({ lives, sent, cpuMs, queued, happened, failed }: Lived): void {
    this.#lives += lives
    this.#sent += sent
    this.#cpuMs += cpuMs
    for (const [name, times] of queued) this.queued.set(name, (this.queued.get(name) ?? 0) + times)
    for (const [name, times] of happened)
      this.happened.set(name, (this.happened.get(name) ?? 0) + times)
    this.failed.push(...failed)
  }

  get line(): string {
    const s = (performance.now() - this.#started) / 1000
    return (
      `${this.#lives} of ${this.#of} lives in ${s.toFixed(0)} s (${(this.#lives / s).toFixed(1)} a second, ` +
      `${(this.#cpuMs / this.#lives).toFixed(0)} ms of a core each), ` +
      `${this.#sent} sent, ${this.failed.length} failed`
    )
  }
}
