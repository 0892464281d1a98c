import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterCommit } from '../db/open.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import type { Job, JobContext } from './run.ts'
import { wake } from './wake.ts'

/**
 * Queues work in the transaction that it follows from; it runs at least once ([API 2], stored),
 * from `runAt` on. Smaller `priority` first.
 */
export async function enqueue(
  tx: Tx,
  kind: string,
  payload: unknown,
  now: Date,
  runAt: Date = now,
  priority = 0,
): Promise<void> {
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

/** Thrown by work that can never succeed: it is not retried. */
export class Refused extends Error {}
/**
 * Thrown when the service behind the work is down: the other rows of the kind wait too, since they
 * would fail as well.
 */
export class Outage extends Error {}

const AT_ONCE = 20
/**
 * The rows of a dead process are free after this time; a running one renews its lease three times
 * meanwhile.
 */
const LEASE_MS = 120_000
const RETRY_FIRST_MS = 5000
const RETRY_MAX_MS = 3_600_000
const OUTAGE_MAX_MS = 60_000
const TRIES_MIN = 10
const GIVE_UP_MS = 36 * 3_600_000
const LOWEST = 100

export interface QueueOptions {
  /** Polling interval when it is not woken. */
  readonly everyMs?: number
  readonly atOnce?: number
  /** One worker per entry: the highest priority number that it takes. */
  readonly workers?: readonly number[]
  readonly leaseMs?: number
}

/** `signal` is aborted when another process may have claimed the row. */
type Work<C> = (services: C, payload: unknown, id: string, signal: AbortSignal) => Promise<void>

export function queueJob<C extends JobContext>(
  kind: string,
  work: Work<C>,
  { everyMs = 10_000, atOnce = AT_ONCE, workers = [LOWEST], leaseMs = LEASE_MS }: QueueOptions = {},
): Job<C> {
  const drain = async (services: C, upTo: number): Promise<number> => {
    for (let done = 0; ;) {
      const lease = await claim(services, kind, upTo, atOnce, leaseMs)
      try {
        for (const row of lease.rows) {
          if (!(await lease.holds(row))) continue
          const end = await attempt(services, row, work, lease)
          if (end === 'done') done += 1
          if (end === 'outage') return done
        }
        if (lease.rows.length < atOnce) return done
      } finally {
        await lease.end()
      }
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

interface Claimed {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
  readonly created_at: Date
}

/** The lease is renewed during work, so that no other process claims a slow row. */
class Lease {
  readonly rows: readonly Claimed[]
  readonly lost = new AbortController()
  readonly #services: JobContext
  readonly #ms: number
  readonly #timer: NodeJS.Timeout
  #held: Set<string>
  #until: Date
  #renewing: Promise<void> = Promise.resolve()

  constructor(services: JobContext, rows: readonly Claimed[], until: Date, ms: number) {
    this.rows = rows
    this.#services = services
    this.#held = new Set(rows.map(({ id }) => id))
    this.#until = until
    this.#ms = ms
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), ms / 3)
  }

  async holds({ id }: Claimed): Promise<boolean> {
    if (this.#services.clock() >= this.#until) await this.#renew()
    return this.#held.has(id)
  }

  release({ id }: Claimed): void {
    this.#held.delete(id)
  }

  /** Unworked rows count as no attempt. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#renewing.catch(() => undefined)
    if (this.#held.size === 0) return
    const { db } = this.#services.database
    await sql`update job set locked_until = null, attempts = attempts - 1
      where id = any(${[...this.#held]}::text[]) and locked_until = ${this.#until}`.execute(db)
  }

  #renew(): Promise<void> {
    this.#renewing = this.#renewing
      .catch(() => undefined)
      .then(async () => {
        if (this.#held.size === 0) return
        const { clock, database } = this.#services
        const until = new Date(clock().getTime() + this.#ms)
        const asked = [...this.#held]
        const { rows } = await sql<{ id: string }>`
        update job set locked_until = ${until}
        where id = any(${asked}::text[]) and locked_until = ${this.#until} returning id`.execute(
          database.db,
        )
        const kept = new Set(rows.map(({ id }) => id))
        const gone = asked.filter((id) => !kept.has(id) && this.#held.delete(id))
        this.#until = until
        if (gone.length > 0) this.lost.abort()
      })
    return this.#renewing
  }
}

async function claim(
  services: JobContext,
  kind: string,
  upTo: number,
  atOnce: number,
  leaseMs: number,
): Promise<Lease> {
  const now = services.clock()
  const until = new Date(now.getTime() + leaseMs)
  const { rows } = await services.database.tx((tx) =>
    sql<Claimed & { priority: number }>`
      update job set locked_until = ${until}, attempts = attempts + 1
      where id in (
        select id from job where kind = ${kind} and priority <= ${upTo} and run_at <= ${now}
          and (locked_until is null or locked_until < ${now})
        order by priority, run_at limit ${atOnce} for update skip locked)
      returning id, kind, payload, priority, attempts, created_at`.execute(tx),
  )
  // an update returns its rows unordered; ids sort by creation
  return new Lease(
    services,
    rows.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1)),
    until,
    leaseMs,
  )
}

async function attempt<C extends JobContext>(
  services: C,
  row: Claimed,
  work: Work<C>,
  lease: Lease,
): Promise<'done' | 'failed' | 'outage'> {
  const {
    database: { db },
    log,
  } = services
  try {
    await work(services, row.payload, row.id, lease.lost.signal)
    lease.release(row)
    await db.deleteFrom('job').where('id', '=', row.id).execute()
    // the service works again: rows of this kind no longer wait for it
    await db
      .updateTable('job')
      .set({ outage: false })
      .where('kind', '=', row.kind)
      .where('outage', '=', true)
      .execute()
    return 'done'
  } catch (error) {
    lease.release(row)
    const outage = error instanceof Outage
    log.warn({ err: error, job: row.kind, attempts: row.attempts, outage }, 'job failed')
    const now = services.clock().getTime()
    const spent = row.attempts >= TRIES_MIN && now - row.created_at.getTime() > GIVE_UP_MS
    if (error instanceof Refused || spent)
      await db.deleteFrom('job').where('id', '=', row.id).execute()
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
 * A job of many steps. Each step's transaction stores the start of the next, so none is skipped or
 * repeated after a crash. `step` resolves to the next payload, or null at the end.
 */
export function steppedJob<Step>(
  kind: string,
  shape: v.GenericSchema<unknown, Step>,
  step: (tx: Tx, at: Step, now: Date) => Promise<Step | null>,
): Job {
  return queueJob(
    kind,
    async ({ database, clock }, _payload, id, signal) => {
      const once = (): Promise<boolean> =>
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
    },
    { atOnce: 1 },
  )
}
