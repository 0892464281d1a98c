import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { clockWith } from './clock.ts'
import { ConfigError, type Config } from './config.ts'
import { fillDemo } from './demo/fill.ts'
import { replacePictures } from './demo/replace-pictures.ts'
import { epochOf } from './db/epoch.ts'
import { lockFolder } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { hasRows } from './db/sql.ts'
import { openDatabase, type Database } from './db/open.ts'
import { openImageWorker } from './files/imageWorker/imageWorker.ts'
import { bucketStore } from './files/bucket.ts'
import { folderStore } from './files/storage.ts'
import { openDeltas } from './http/pages/deltas.ts'
import { openPrerenderer } from './http/pages/prerender.ts'
import { memoryLimiter } from './route/limits.ts'
import { openMetrics } from './http/operations/metrics.ts'
import { redisLimiter } from './http/api/redis-limiter.ts'
import { withOperator } from './http/pages/operator.ts'
import { readWebApp } from './http/pages/static.ts'
import { openMailer } from './mail/mailer.ts'
import { openPush } from './webpush/service.ts'
import { publicAddress } from './public-address.ts'
import { openRedis } from './redis.ts'
import type { ServerServices } from './http/services.ts'

/** In order of dependency. `prepare` runs before any other use of the database. */
export async function openAll(
  config: Config,
  log: Logger,
  prepare: (database: Database) => Promise<void> = (database) => prepareDatabase(config, database),
): Promise<{ services: Omit<ServerServices, 'publicUrl'>; close(): Promise<void> }> {
  await requireFolder(config.dataDir)
  const unlock =
    config.database.url === null ? await lockFolder(config.dataDir) : async () => undefined
  const database = await openDatabase(config)
  if (config.database.url !== null) await requireAnswer(database)
  try {
    await prepare(database)
  } catch (error) {
    await database.close()
    await unlock()
    throw error
  }
  const clock = clockWith(config.clockOffsetMs)
  const mailer = openMailer(config)
  const push = await openPush(config)
  const redis = config.redisUrl === null ? null : await openRedis(config.redisUrl, 'limits', log)
  const limiter = redis === null ? memoryLimiter() : redisLimiter(redis, await epochOf(database.db))
  const imageWorker = openImageWorker(log)
  const web = withOperator(await readWebApp(config.webDir), config.operator)
  const metrics = openMetrics(database)
  metrics.gauge('photos_waiting', 'Photos that wait for their variants', () => imageWorker.size())
  if (redis !== null)
    metrics.gauge(
      'redis_available',
      '1 while limits are counted in Redis, 0 while this process counts alone',
      () => (redis.circuit === 'closed' ? 1 : 0),
    )
  return {
    services: {
      config,
      database,
      clock,
      limiter,
      mailer,
      push,
      imageWorker,
      files:
        config.s3 === null ? folderStore(join(config.dataDir, 'media')) : bucketStore(config.s3),
      web,
      deltas: await openDeltas(join(config.dataDir, 'builds'), web.values(), log),
      prerender: await openPrerenderer(
        join(import.meta.dirname, '../dist/server/prerender.js'),
        log,
      ),
      metrics,
      log,
    },
    async close() {
      mailer.close()
      push.close()
      limiter.close?.()
      await imageWorker.close()
      await database.close()
      await unlock()
    },
  }
}

async function prepareDatabase(config: Config, database: Database) {
  await migrate(database)
  const open = publicAddress(config)
  if (open !== null) await requireNoDemo(config, database, open)
  const now = clockWith(config.clockOffsetMs)()
  if (config.demo.fill) await fillDemo(database, config.demo, now.getTime())
  await replacePictures(database, now)
}

/** One of the demo accounts is a moderator. */
async function requireNoDemo({ demo }: Config, database: Database, address: string) {
  const why = `${address} is open to everybody, and the demo's accounts have a known password`
  if (await hasRows(database.db, sql`demo_picture`))
    throw new ConfigError(
      `${why}: this database was filled with the demo, so take an empty one and set DEMO=0`,
    )
  if (demo.fill) throw new ConfigError(`${why}: set DEMO=0`)
}

/** Names the setting [SURFACE 1]. */
async function requireFolder(folder: string) {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${folder} cannot be used: ${reasonOf(error)}`)
  }
}

/** Without the URL, which contains a password. */
async function requireAnswer(database: Database) {
  try {
    await sql`select 1`.execute(database.db)
  } catch (error) {
    await database.close()
    throw new ConfigError(`DATABASE_URL leads to no database that answers: ${reasonOf(error)}`)
  }
}

/** Several addresses of one name fail together. */
function reasonOf(error: unknown) {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  return (first instanceof Error ? first.message : String(first)).replaceAll(/\s+/g, ' ')
}
