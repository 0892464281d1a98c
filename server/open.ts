import { join } from 'node:path'
import type { Logger } from 'pino'
import { clockWith } from './clock.ts'
import type { Config } from './config.ts'
import { fillDemo } from './db/demo/fill.ts'
import { epochOf } from './db/epoch.ts'
import { lockFolder } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { openDarkroom } from './files/darkroom/darkroom.ts'
import { openFiles } from './files/open.ts'
import { openDrawing } from './http/draw.ts'
import { memoryLimiter } from './http/limits.ts'
import { openMetrics } from './http/metrics.ts'
import { redisLimiter } from './http/redis-limiter.ts'
import { readWebApp } from './http/static.ts'
import { openMailer } from './mail/mailer.ts'
import { openPush } from './nouns/push/service.ts'
import type { Services } from './services.ts'

/** All that lasts as long as the process, but for the address it will be known by. */
export interface Opened {
  readonly services: Omit<Services, 'publicUrl'>
  close(): Promise<void>
}

/** Opens what a server and the command line need, in the order of need; an empty database gets its schema and the demo. */
export async function openAll(config: Config, log: Logger): Promise<Opened> {
  const unlock = config.database.url === null ? await lockFolder(config.dataDir) : async () => undefined
  const database = await openDatabase(config)
  await migrate(database)
  const clock = clockWith(config.clockOffsetMs)
  if (config.demo.fill) await fillDemo(database, config.demo, clock().getTime())
  const mailer = openMailer(config)
  const push = await openPush(config)
  const limiter = config.redisUrl === null ? memoryLimiter() : redisLimiter(config.redisUrl, await epochOf(database.db), log)
  const darkroom = openDarkroom(log)
  const metrics = openMetrics(database)
  metrics.gauge('photos_waiting', 'Photos that wait for their variants', () => darkroom.size())
  return {
    services: {
      config,
      database,
      clock,
      limiter,
      mailer,
      push,
      darkroom,
      files: openFiles(config),
      web: await readWebApp(join(import.meta.dirname, '../dist/web')),
      draw: await openDrawing(join(import.meta.dirname, '../dist/server/draw.js'), log),
      metrics,
      log,
    },
    async close() {
      mailer.close()
      push.close()
      limiter.close?.()
      await darkroom.close()
      await database.close()
      await unlock()
    },
  }
}
