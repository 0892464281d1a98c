import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterCommit } from '../db/open.ts'
import type { Row, Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import type { Job, JobContext } from './run.ts'
import { wake } from './wake.ts'

/** Runs at least once ([API 2], stored), from `runAt` on. Smaller `priority` first. */
export async function enqueue(
  tx: Tx,
  kind: string,
  payload: unknown,
  now: Date,
  runAt: Date = now,
  priority = 0,
) {
  await tx
    .insertInto('job')
    .values({
      id: newId(now.getTime()),
      kind,
      payload: JSON.stringify(payload),
      priority,
      run_at: runAt,
      created_at: now,
    })
    .execute()
  afterCommit(() => wake(kind))
}

/** For work that can never succeed. */
export class Refused extends Error {}
/** The service behind the work is down: other rows of the kind wait too. */
export class Outage extends Error {}

/** Then the row of a dead process is free. */
const LEASE_MS = 120_000
const RETRY_FIRST_MS = 5000
const RETRY_MAX_MS = 3_600_000
const OUTAGE_MAX_MS = 60_000
const TRIES_MIN = 10
const GIVE_UP_MS = 36 * 3_600_000
const LOWEST = 100

export type QueueOptions = Readonly<{
  everyMs?: number
  /** The highest priority number that each worker takes. */
  workers?: readonly number[]
  leaseMs?: number
}>

/** `signal`: another process may have claimed the row. */
type Work<C> = (services: C, payload: unknown, id: string, signal: AbortSignal) => Promise<void>

/** One row at a time, so that a more urgent one is next. */
export function queueJob<C extends JobContext>(
  kind: string,
  work: Work<C>,
  { everyMs = 10_000, workers = [LOWEST], leaseMs = LEASE_MS }: QueueOptions = {},
): Job<C> {
  const drain = async (services: C, upTo: number) => {
    for (let done = 0; ;) {
      const row = await claim(services, kind, upTo, leaseMs)
      if (row === undefined) return done
      const end = await attempt(
        services,
        row,
        (signal) => work(services, row.payload, row.id, signal),
        leaseMs,
      )
      if (end === 'outage') return done
      if (end === 'done') done += 1
    }
  }
  const each = workers.map((upTo) => (services: C) => drain(services, upTo))
  return {
    name: kind,
    everyMs,
    workers: each,
    async run(services) {
      const counts = await Promise.all(each.map((worker) => worker(services)))
      return counts.reduce((sum, n) => sum + n, 0)
    },
  }
}

async function claim(
  { clock, database }: JobContext,
  kind: string,
  upTo: number,
  leaseMs: number,
): Promise<Row<'job'> | undefined> {
  const now = clock()
  const { rows } = await database.tx((tx) =>
    sql<Row<'job'>>`
    update job set locked_until = ${new Date(now.getTime() + leaseMs)}, attempts = attempts + 1
    where id = (
      select id from job where kind = ${kind} and priority <= ${upTo} and run_at <= ${now}
        and (locked_until is null or locked_until < ${now})
      order by priority, run_at, id limit 1 for update skip locked)
    returning *`.execute(tx),
  )
  return rows[0]
}

/** Renews the lease while the work runs, so that no other process claims the row. */
async function leased(
  { clock, database: { db } }: JobContext,
  { id, locked_until }: Row<'job'>,
  work: (signal: AbortSignal) => Promise<void>,
  leaseMs: number,
) {
  const lost = new AbortController()
  let held = locked_until
  let renewing = Promise.resolve()
  const renew = async () => {
    const until = new Date(clock().getTime() + leaseMs)
    const { numUpdatedRows } = await db
      .updateTable('job')
      .set({ locked_until: until })
      .where('id', '=', id)
      .where('locked_until', '=', held)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) held = until
    else lost.abort()
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew).catch(() => undefined)
  }, leaseMs / 3)
  try {
    await work(lost.signal)
  } finally {
    clearInterval(timer)
    await renewing
  }
}

async function attempt(
  services: JobContext,
  row: Row<'job'>,
  work: (signal: AbortSignal) => Promise<void>,
  leaseMs: number,
): Promise<'done' | 'failed' | 'outage'> {
  const {
    database: { db },
    log,
  } = services
  const remove = () => db.deleteFrom('job').where('id', '=', row.id).execute()
  try {
    await leased(services, row, work, leaseMs)
    await remove()
    // the service works again: no row waits for it
    await db
      .updateTable('job')
      .set({ outage: false })
      .where('kind', '=', row.kind)
      .where('outage', '=', true)
      .execute()
    return 'done'
  } catch (error) {
    const outage = error instanceof Outage
    log.warn({ err: error, job: row.kind, attempts: row.attempts, outage }, 'job failed')
    const now = services.clock().getTime()
    const spent = row.attempts >= TRIES_MIN && now - row.created_at.getTime() > GIVE_UP_MS
    if (error instanceof Refused || spent) await remove()
    else {
      const wait = Math.min(
        outage ? OUTAGE_MAX_MS : RETRY_MAX_MS,
        RETRY_FIRST_MS * 2 ** (row.attempts - 1),
      )
      const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
      await db
        .updateTable('job')
        .set({ run_at: new Date(now + wait), locked_until: null, last_error: reason, outage })
        .where('id', '=', row.id)
        .execute()
    }
    return outage ? 'outage' : 'failed'
  }
}

/**
 * Each step's transaction stores the start of the next, so none is skipped or repeated after a
 * crash. null: the end.
 */
export function steppedJob<Step>(
  kind: string,
  shape: v.GenericSchema<unknown, Step>,
  step: (tx: Tx, at: Step, now: Date) => Promise<Step | null>,
): Job {
  return queueJob(kind, async ({ database, clock }, _payload, id, signal) => {
    const once = () =>
      database.tx(async (tx) => {
        const row = await tx
          .selectFrom('job')
          .select('payload')
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return false
        const next = await step(tx, v.parse(shape, row.payload), clock())
        if (next === null) await tx.deleteFrom('job').where('id', '=', id).execute()
        else
          await tx
            .updateTable('job')
            .set({ payload: JSON.stringify(next) })
            .where('id', '=', id)
            .execute()
        return next !== null
      })
    // the embedded database blocks this process: let other work run in between
    while (!signal.aborted && (await once())) await turn()
  })
}
