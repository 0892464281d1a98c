import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { clockWith } from './clock.ts'
import { ConfigError, type Config } from './config.ts'
import { lockFolder } from './db/lock.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { folderStore } from './files/storage.ts'
import { memoryLimiter } from './http/limits.ts'
import { jobs } from './jobs/all.ts'
import { startJobs } from './jobs/run.ts'
import { openLive } from './live/live.ts'
import { openMailer } from './mail/mailer.ts'
import type { Services } from './services.ts'

export interface Running {
  /** As the ready line says it. */
  readonly address: string
  /** Takes no more requests, finishes those that run, then closes everything. */
  stop(): Promise<void>
}

/** Opens everything a server needs, in the order of need, and listens. Several processes may do so on one PostgreSQL. */
export async function start(config: Config, log: Logger): Promise<Running> {
  const unlock = config.database.url === null ? await lockFolder(config.dataDir) : async () => undefined
  const database = await openDatabase(config)
  await migrate(database)
  const mailer = openMailer(config)
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const shown = config.host === '127.0.0.1' || config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : host
  const server = createServer({ maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 600_000, keepAliveTimeout: 65_000 })
  await listen(server, config)
  const address = `http://${shown}:${portOf(server)}`
  const services: Services = {
    config,
    database,
    clock: clockWith(config.clockOffsetMs),
    limiter: memoryLimiter(),
    mailer,
    files: folderStore(join(config.dataDir, 'media')),
    log,
    publicUrl: config.publicUrl ?? address,
  }
  const live = await openLive(services)
  live.attach(server)
  serveOn(server, services)
  const working = startJobs(services, jobs)
  return {
    address,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      await live.close()
      server.closeIdleConnections()
      await closed
      await working.stop()
      mailer.close()
      await database.close()
      await unlock()
    },
  }
}

/** The adaptor makes a server of its own; only its request listener is wanted, on the server that already listens. */
function serveOn(server: Server, services: Services): void {
  const app = createApp(services)
  const adaptor = createAdaptorServer({ fetch: (request, env) => app.fetch(request, env) })
  for (const listener of adaptor.listeners('request')) server.on('request', (incoming, outgoing) => void Reflect.apply(listener, server, [incoming, outgoing]))
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new ConfigError(`PORT ${port} on HOST ${host} cannot be used: ${error instanceof Error ? error.message : 'unknown'}`)
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
