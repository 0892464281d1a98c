import type { Services } from '../route/services.ts'
import { onWake } from './wake.ts'

export interface Job {
  readonly name: string
  readonly everyMs: number
  /**
   * Does what is due and resolves to how much; safe to run twice, and from several processes at
   * once.
   */
  run(services: Services): Promise<number>
  /** Parts of `run` with their own loops, so that a slow one does not delay the others. */
  readonly workers?: readonly ((services: Services) => Promise<number>)[]
}

/** Throws when there is no such job. */
export async function runJob(
  services: Services,
  jobs: readonly Job[],
  name: string,
): Promise<number> {
  const job = jobs.find((one) => one.name === name)
  if (job === undefined) throw new Error(`there is no job ${name}`)
  return job.run(services)
}

/** `stop` waits for running jobs. */
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
  // due rows run soon after a start; rare jobs do not slow it down
  timer = setTimeout(start, Math.min(job.everyMs / 10, 60_000))
  return async () => {
    stopped = true
    unwake()
    if (timer !== null) clearTimeout(timer)
    await round
  }
}
