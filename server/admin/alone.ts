import { pino } from 'pino'
import type { Config } from '../config.ts'
import { missingMigrations } from '../db/migrate.ts'
import { openLive } from '../live/live.ts'
import { conversationReads } from '../nouns/conversation/queries.ts'
import { openAll } from '../open.ts'
import type { ServerServices } from '../http/services.ts'
import type { Outcome } from './command.ts'
import { type Order, runCommand } from './run.ts'

/**
 * The database has an older schema. Only a server migrates it, since others may still run on the
 * old one.
 */
export class Behind extends Error {}

/**
 * Opens the database itself and does not migrate it. Throws FolderInUse when another process holds
 * it, and Behind.
 */
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
  const services: ServerServices = {
    ...opened.services,
    publicUrl: config.publicUrl ?? `http://localhost:${config.port}`,
  }
  // With PostgreSQL, servers may run elsewhere: the bus notifies them of the change.
  const live = await openLive(services, conversationReads)
  try {
    return await runCommand(services, asked)
  } finally {
    await live.close()
    await opened.close()
  }
}
