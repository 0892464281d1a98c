import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeCommit, violated, type Database } from '../db/open.ts'
import { planned, plannedOnce } from '../db/postgres.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { StoredReply } from './caller.ts'
import type { Exchange } from './exchange.ts'
import { refuse, refuseUntil, requireSame } from './refusal.ts'
import type { Reply } from './reply.ts'

interface Work<R extends Reply> {
  /** Runs the write; `transaction` commits its effect together with the key. */
  run(transaction: (effect: (tx: Tx) => Promise<R>) => Promise<R>): Promise<R>
  toStored(reply: R): string | null
  replay(stored: StoredReply): Promise<Reply>
}

type Key = Readonly<{
  scope: string
  key: string
  fingerprint: Buffer
}>

const WAIT_MS = 5000
const POLL_MS = 100

/** First requests that run in this process ([API 2], running mark). */
const running = new WeakMap<Database, Map<string, Promise<unknown>>>()

/** Concurrent requests wait and get the first one's response. */
export async function oncePerKey<R extends Reply>(
  exchange: Exchange,
  work: Work<R>,
): Promise<Reply> {
  const { key: name, caller, fingerprint, services } = exchange
  if (name === null) return work.run((effect) => committed(exchange, effect))
  const key = { scope: caller?.id ?? 'anonymous', key: name, fingerprint }
  const pending = running.get(services.database) ?? new Map<string, Promise<unknown>>()
  running.set(services.database, pending)
  const mark = `${key.scope} ${key.key}`
  const other = pending.get(mark)
  if (other !== undefined) {
    const ended = await Promise.race([other.then(() => true), pause(WAIT_MS).then(() => false)])
    if (!ended) throw refuseUntil('idempotency_in_progress', 1)
    return repeated(services.database.db, key, work)
  }
  const mine = runFirst(exchange, key, work)
  const ended = Promise.allSettled([mine])
  pending.set(mark, ended)
  void ended.then(() => pending.delete(mark))
  return mine
}

async function runFirst<R extends Reply>(exchange: Exchange, key: Key, work: Work<R>) {
  const { database } = exchange.services
  const kept = exchange.kept === undefined ? await find(database.db, key) : exchange.kept
  if (kept !== null) return work.replay(matching(kept, key))
  try {
    return await work.run((effect) =>
      committed(exchange, async (tx) => {
        // In one round trip; a failed claim rolls back the effect.
        const [claimed, done] = await Promise.allSettled([
          claim(tx, key, database.kind),
          effect(tx),
        ])
        if (
          claimed.status === 'rejected' &&
          (claimed.reason instanceof Taken || done.status === 'fulfilled')
        )
          throw claimed.reason
        if (done.status === 'rejected') throw done.reason
        const reply = done.value
        beforeCommit(() => storing(key, reply, work.toStored(reply), exchange.now))
        return reply
      }),
    )
  } catch (error) {
    if (!(error instanceof Taken) && violated(error) !== 'idempotency_pkey') {
      // The same request in another process may have committed between the query and the lock.
      const twin = await find(database.db, key).catch(() => null)
      if (twin === null) throw error
      return work.replay(matching(twin, key))
    }
    await otherProcess(database, key)
    return repeated(database.db, key, work)
  }
}

/** Past its deadline it must leave no effect [API 1.1]. */
function committed<R>({ services, signal }: Exchange, effect: (tx: Tx) => Promise<R>): Promise<R> {
  return services.database.tx(async (tx) => {
    const result = await effect(tx)
    if (signal.aborted) throw refuse('service_unavailable')
    return result
  })
}

class Taken extends Error {}

const lockOf = ({ scope, key }: Key) =>
  hash('sha256', `${scope} ${key}`, 'buffer').readBigInt64BE().toString()

/**
 * Holds the key until the commit; throws `Taken` when another call has it. One committed between
 * query and lock is missed: the primary key then rejects the insert.
 */
async function claim(tx: Tx, key: Key, kind: Database['kind']) {
  // The embedded database runs one transaction at a time.
  type Free = { free: boolean }
  const { rows } = await (
    kind === 'postgresql'
      ? planned<Free>`select pg_try_advisory_xact_lock(${lockOf(key)}::bigint) and not exists (
          select from idempotency where scope = ${key.scope} and key = ${key.key}) as free`
      : planned<Free>`select not exists (
          select from idempotency where scope = ${key.scope} and key = ${key.key}) as free`
  ).execute(tx)
  if (rows[0]?.free !== true) throw new Taken()
}

/** At most 5 s, without a connection meanwhile. */
async function otherProcess(database: Database, key: Key) {
  for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
    if ((await find(database.db, key)) !== null) return
    const free = await database.tx(async (tx) =>
      claim(tx, key, database.kind).then(
        () => true,
        (error: unknown) => (error instanceof Taken ? false : Promise.reject(error)),
      ),
    )
    if (free) return
    await pause(POLL_MS)
  }
}

const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms).unref())

/** Of a request that waited: it never runs the write itself [API 2, D59]. */
async function repeated(db: Db, key: Key, work: Pick<Work<Reply>, 'replay'>) {
  const kept = await find(db, key)
  if (kept === null) throw refuseUntil('idempotency_in_progress', 1)
  return work.replay(matching(kept, key))
}

async function find(db: Db, { scope, key }: Key) {
  const { rows } = await sql<StoredReply>`${plannedOnce}
    select fingerprint, status, body, location from idempotency where scope = ${scope} and key = ${key}`.execute(
    db,
  )
  return rows[0] ?? null
}

function matching(kept: StoredReply, { fingerprint }: Key) {
  requireSame(kept.fingerprint, fingerprint)
  return kept
}

const storing = (
  { scope, key, fingerprint }: Key,
  reply: Reply,
  body: string | null,
  now: Date,
) => planned`
    insert into idempotency (scope, key, fingerprint, status, body, location, created_at)
    values (${scope}, ${key}, ${fingerprint}, ${reply.status ?? 200}, ${body},
      ${reply.headers['Location'] ?? null}, ${now})`
