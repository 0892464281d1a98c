import { sql } from 'kysely'
import { afterCommit } from '../db/open.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import type { Services } from '../services.ts'
import type { Job } from './run.ts'
import { wake } from './wake.ts'

/** Puts work down that follows from a commit, in that commit; it is done at least once (API.md 2, stored), from `runAt` on. */
export async function enqueue(tx: Tx, kind: string, payload: unknown, now: Date, runAt: Date = now): Promise<void> {
  await tx
    .insertInto('job')
    .values({ id: newId(now.getTime()), kind, payload: JSON.stringify(payload), run_at: runAt, locked_until: null, last_error: null, created_at: now })
    .execute()
  afterCommit(() => wake(kind))
}

const BATCH = 20
const LOCK_MS = 120_000
const RETRY_FIRST_MS = 5000
const RETRY_MAX_MS = 3_600_000
const GIVE_UP_AFTER = 40

/** A job that empties the queue of one kind; `work` may fail and is then tried again, later each time. */
export function queueJob(kind: string, work: (services: Services, payload: unknown, id: string) => Promise<void>, everyMs = 10_000): Job {
  return {
    name: kind,
    everyMs,
    async run(services) {
      let done = 0
      for (;;) {
        const claimed = await claim(services, kind)
        for (const row of claimed) done += await attempt(services, row, work)
        if (claimed.length < BATCH) return done
      }
    },
  }
}

interface Claimed {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
}

/** Takes due rows for this process; one that dies lets go of them after two minutes. */
async function claim({ database, clock }: Services, kind: string): Promise<Claimed[]> {
  const now = clock()
  return database.tx(async (tx) => {
    const { rows } = await sql<Claimed>`
      update job set locked_until = ${new Date(now.getTime() + LOCK_MS)}, attempts = attempts + 1
      where id in (
        select id from job where kind = ${kind} and run_at <= ${now} and (locked_until is null or locked_until < ${now})
        order by run_at limit ${BATCH} for update skip locked)
      returning id, kind, payload, attempts`.execute(tx)
    // an update returns its rows in no order; ids are in that of their making
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  })
}

async function attempt(services: Services, row: Claimed, work: (services: Services, payload: unknown, id: string) => Promise<void>): Promise<number> {
  const { database, clock, log } = services
  try {
    await work(services, row.payload, row.id)
    await database.db.deleteFrom('job').where('id', '=', row.id).execute()
    return 1
  } catch (error) {
    log.warn({ err: error, job: row.kind, attempts: row.attempts }, 'job failed')
    if (row.attempts >= GIVE_UP_AFTER) await database.db.deleteFrom('job').where('id', '=', row.id).execute()
    else {
      const wait = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (row.attempts - 1))
      const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
      await database.db.updateTable('job').set({ run_at: new Date(clock().getTime() + wait), locked_until: null, last_error: reason }).where('id', '=', row.id).execute()
    }
    return 0
  }
}
