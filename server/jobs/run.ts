import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/open.ts'
import { onWake } from './wake.ts'

/** The type of a job names what else it needs. */
export type JobContext = Readonly<{
  database: Database
  clock: Clock
  log: Logger
}>

export type Job<C extends JobContext = JobContext> = Readonly<{
  name: string
  everyMs: number
  /** Resolves to how much was done; safe to run twice and concurrently. */
  run(services: C): Promise<number>
  /** Parts of `run`, so that a slow one does not delay the others. */
  workers?: readonly ((services: C) => Promise<number>)[]
}>

export function startJobs<C extends JobContext>(
  services: C,
  jobs: readonly Job<C>[],
): { stop(): Promise<void> } {
  const stops = jobs.flatMap((job) =>
    (job.workers ?? [(all: C) => job.run(all)]).map((run) =>
      keepRunning(services, { ...job, run }),
    ),
  )
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

function keepRunning<C extends JobContext>(services: C, job: Job<C>): () => Promise<void> {
  let stopped = false
  let again = false
  let timer: NodeJS.Timeout | null = null
  let round: Promise<void> | null = null
  const start = () => {
    if (stopped) return
    if (round !== null) {
      again = true
      return
    }
    if (timer !== null) clearTimeout(timer)
    round = once()
  }
  const once = async () => {
    try {
      await job.run(services)
    } catch (error) {
      services.log.error({ err: error, job: job.name }, 'job failed')
    }
    round = null
    if (stopped) return
    if (again) {
      again = false
      start()
    } else timer = setTimeout(start, job.everyMs)
  }
  const unwake = onWake(job.name, start)
  // soon after a start, but rare jobs do not slow it down
  timer = setTimeout(start, Math.min(job.everyMs / 10, 60_000))
  return async () => {
    stopped = true
    unwake()
    if (timer !== null) clearTimeout(timer)
    await round
  }
}
