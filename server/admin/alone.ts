import { pino } from 'pino'
import type { Config } from '../config.ts'
import { missingMigrations } from '../db/migrate.ts'
import { openLive } from '../live/live.ts'
import { conversationReads } from '../nouns/conversation/queries.ts'
import { openAll } from '../open.ts'
import type { ServerServices } from '../http/services.ts'
import type { Outcome } from './command.ts'
import { type Order, runCommand } from './run.ts'

/** Only a server migrates an older schema, since others may still run on it. */
export class Behind extends Error {}

/** Does not migrate. Throws FolderInUse and Behind. */
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
  // With PostgreSQL, the bus tells servers elsewhere.
  const live = await openLive(services, conversationReads)
  try {
    return await runCommand(services, asked)
  } finally {
    await live.close()
    await opened.close()
  }
}
