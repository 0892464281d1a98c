import { join } from 'node:path'
import type { Logger } from 'pino'
import { createApp, type App } from './app.ts'
import { clockWith } from './clock.ts'
import type { Config } from './config.ts'
import { epochOf } from './db/epoch.ts'
import { lockFolder } from './db/lock.ts'
import { fillDemo } from './db/demo/fill.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { folderStore } from './files/storage.ts'
import { memoryLimiter } from './http/limits.ts'
import { finishRequests, listen, portOf } from './http/listen.ts'
import { openMetrics } from './http/metrics.ts'
import { readWebApp } from './http/static.ts'
import { redisLimiter } from './http/redis-limiter.ts'
import { jobs } from './jobs/all.ts'
import { startJobs } from './jobs/run.ts'
import { openLive } from './live/live.ts'
import { openMailer } from './mail/mailer.ts'
import { openPush } from './nouns/push/service.ts'
import type { Services } from './services.ts'

export interface Running {
  /** As the ready line says it. */
  readonly address: string
  /** Takes no more requests, finishes those that run, then closes everything. */
  stop(): Promise<void>
}

/** The whole stop may take 10 s (SURFACE.md); requests get most of it. */
const STOP_REQUESTS_MS = 7000

/** Opens everything a server needs, in the order of need, and listens. Several processes may do so on one PostgreSQL. */
export async function start(config: Config, log: Logger): Promise<Running> {
  const unlock = config.database.url === null ? await lockFolder(config.dataDir) : async () => undefined
  const database = await openDatabase(config)
  await migrate(database)
  const clock = clockWith(config.clockOffsetMs)
  if (config.demo.fill) await fillDemo(database, config.demo, clock().getTime())
  const mailer = openMailer(config)
  const push = await openPush(config)
  const limiter = config.redisUrl === null ? memoryLimiter() : redisLimiter(config.redisUrl, await epochOf(database.db), log)
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const shown = config.host === '127.0.0.1' || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : host
  const ready = Promise.withResolvers<App['fetch']>()
  const server = await listen(config, ready.promise)
  const address = `http://${shown}:${portOf(server)}`
  const services: Services = {
    config,
    database,
    clock,
    limiter,
    mailer,
    push,
    files: folderStore(join(config.dataDir, 'media')),
    web: await readWebApp(join(import.meta.dirname, '../dist/web')),
    metrics: openMetrics(database),
    log,
    publicUrl: config.publicUrl ?? address,
  }
  const live = await openLive(services)
  live.attach(server)
  ready.resolve(createApp(services).fetch)
  const working = startJobs(services, jobs)
  return {
    address,
    async stop() {
      await Promise.all([finishRequests(server, STOP_REQUESTS_MS), live.close()])
      await working.stop()
      mailer.close()
      push.close()
      limiter.close?.()
      await database.close()
      await unlock()
    },
  }
}
