import type { Job } from './run.ts'

/** The embedded database has no worker of its own that clears dead rows and keeps the planner's figures; PostgreSQL does both itself. */
export const vacuumJob: Job = {
  name: 'vacuum',
  everyMs: 6 * 3_600_000,
  async run({ database }) {
    if (database.kind !== 'pglite') return 0
    await database.script('vacuum analyze')
    return 1
  },
}
