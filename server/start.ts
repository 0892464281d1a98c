import type { Logger } from 'pino'
import { openAdmin } from './admin/socket.ts'
import { createApp, type App } from './app.ts'
import type { Config } from './config.ts'
import { finishRequests, listen, portOf } from './http/operations/listen.ts'
import { jobs } from './all-jobs.ts'
import { startJobs } from './jobs/run.ts'
import { openLive } from './live/live.ts'
import { conversationReads } from './nouns/conversation/queries.ts'
import { openAll } from './open.ts'
import type { ServerServices } from './http/services.ts'

export interface Running {
  readonly address: string
  stop(): Promise<void>
}

/** Of the 10 s for the whole stop [SURFACE 1]. */
const STOP_REQUESTS_MS = 7000

export async function start(config: Config, log: Logger): Promise<Running> {
  const opened = await openAll(config, log)
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const shown =
    config.host === '127.0.0.1' || config.host === '0.0.0.0' || config.host === '::'
      ? 'localhost'
      : host
  const ready = Promise.withResolvers<App['fetch']>()
  const server = await listen(config, ready.promise)
  const address = `http://${shown}:${portOf(server)}`
  const services: ServerServices = { ...opened.services, publicUrl: config.publicUrl ?? address }
  const live = await openLive(services, conversationReads)
  live.attach(server)
  ready.resolve(createApp(services).fetch)
  const working = startJobs(services, jobs)
  const admin = await openAdmin(services)
  return {
    address,
    async stop() {
      await Promise.all([finishRequests(server, STOP_REQUESTS_MS), live.close()])
      await working.stop()
      await admin.close()
      await opened.close()
    },
  }
}
