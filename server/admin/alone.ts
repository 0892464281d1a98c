import { pino } from 'pino'
import type { Config } from '../config.ts'
import { openLive } from '../live/live.ts'
import { openAll } from '../open.ts'
import type { Services } from '../services.ts'
import type { Outcome } from './command.ts'
import { type Order, runCommand } from './run.ts'

/** Runs a command without a server: opens the database itself. Throws FolderInUse when another process holds it. */
export async function runAlone(config: Config, asked: Order): Promise<Outcome> {
  const opened = await openAll({ ...config, demo: { ...config.demo, fill: false } }, pino({ level: 'warn' }, pino.destination(2)))
  const services: Services = { ...opened.services, publicUrl: config.publicUrl ?? `http://localhost:${config.port}` }
  // With PostgreSQL servers may run elsewhere: they hear of what happened here over the bus.
  const live = await openLive(services)
  try {
    return await runCommand(services, asked)
  } finally {
    await live.close()
    await opened.close()
  }
}
