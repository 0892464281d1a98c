import { pino } from 'pino'
import type { Config } from '../config.ts'
import { missingMigrations } from '../db/migrate.ts'
import { openLive } from '../live/live.ts'
import { openAll } from '../open.ts'
import type { Services } from '../services.ts'
import type { Outcome } from './command.ts'
import { type Order, runCommand } from './run.ts'

/** The database is of another version: bringing it to this one is for a server, since others may run on the old one. */
export class Behind extends Error {}

/** Runs a command without a server: opens the database itself, as it is. Throws FolderInUse when another process holds it, and Behind. */
export async function runAlone(config: Config, asked: Order): Promise<Outcome> {
  const opened = await openAll(
    config,
    pino({ level: 'warn' }, pino.destination(2)),
    async (database) => {
      const [missing] = await missingMigrations(database)
      if (missing !== undefined)
        throw new Behind(
          `the database lacks ${missing}: start the server of this version first, which brings it there`,
        )
    },
  )
  const services: Services = {
    ...opened.services,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
  }
  // With PostgreSQL servers may run elsewhere: they hear of what happened here over the bus.
  const live = await openLive(services)
  try {
    return await runCommand(services, asked)
  } finally {
    await live.close()
    await opened.close()
  }
}
