import type { Services } from '../services.ts'
import { onWake } from './wake.ts'

/** Work that comes round, or follows from what people do. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  /** Does what is due and tells how much; safe to run twice, and from several processes at once. */
  run(services: Services): Promise<number>
  /** Parts of `run` that go round each by itself, so that one that takes long holds up no other. */
  readonly workers?: readonly ((services: Services) => Promise<number>)[]
}

/** Runs what is due of one job, once. Throws when there is no such job. */
export async function runJob(
  services: Services,
  jobs: readonly Job[],
  name: string,
): Promise<number> {
  const job = jobs.find((one) => one.name === name)
  if (job === undefined) throw new Error(`there is no job ${name}`)
  return job.run(services)
}

/** Runs each job again and again until stopped; `stop` waits for what runs. */
export function startJobs(services: Services, jobs: readonly Job[]): { stop(): Promise<void> } {
  const stops = jobs.flatMap((job) =>
    (job.workers ?? [(all: Services) => job.run(all)]).map((run) =>
      keepRunning(services, { ...job, run }),
    ),
  )
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

function keepRunning(services: Services, job: Job): () => Promise<void> {
  let stopped = false
  let again = false
  let timer: NodeJS.Timeout | null = null
  let round: Promise<void> | null = null
  const start = (): void => {
    if (stopped) return
    if (round !== null) {
      again = true
      return
    }
    if (timer !== null) clearTimeout(timer)
    round = once()
  }
  const once = async (): Promise<void> => {
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
  // what was left over is done soon, what comes round rarely does not slow the start
  timer = setTimeout(start, Math.min(job.everyMs / 10, 60_000))
  return async () => {
    stopped = true
    unwake()
    if (timer !== null) clearTimeout(timer)
    await round
  }
}
