import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, KyselyPlugin } from 'kysely'
import type { Config } from '../config.ts'
import { codeOf } from '../error-code.ts'
import type { Driver, Ending } from './driver.ts'
import { openEmbedded } from './embedded.ts'
import { openPostgres } from './postgres.ts'
import type { Db, Tx } from './tables.ts'

export interface Database extends Pick<Driver, 'kind' | 'script' | 'pool' | 'close'> {
  /** Throws when it is used inside a transaction. */
  readonly db: Db
  /** A deadlock or serialization failure retries `work`, so it must have no other effects. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  isDown(error: unknown): boolean
}

interface Open {
  readonly before: ((tx: Tx) => Ending<unknown>['last'][number])[]
  readonly after: (() => void)[]
}
const open = new AsyncLocalStorage<Open>()

export function afterCommit(task: () => void) {
  const around = open.getStore()
  if (around === undefined) throw new Error('afterCommit is called outside a transaction')
  around.after.push(task)
}

/**
 * The statement is sent together with the COMMIT, so that contended locks are short. An error of
 * `make` rolls back; `committed` gets the rows.
 */
export function beforeCommit<R>(
  make: () => { compile(tx: Tx): CompiledQuery<R> },
  committed: (rows: readonly R[]) => void = () => undefined,
) {
  const around = open.getStore()
  if (around === undefined) throw new Error('beforeCommit is called outside a transaction')
  around.before.push((tx) => {
    const query = make().compile(tx)
    return async (send) => {
      const rows = await send(query)
      around.after.push(() => committed(rows))
    }
  })
}

export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'database'>,
): Promise<Database> {
  const { url, pool } = config.database
  return databaseOf(
    url === null
      ? await openEmbedded({ dataDir: `${config.dataDir}/db` })
      : openPostgres(url, pool),
  )
}

export function databaseOf(driver: Driver): Database {
  const { kind, script, pool, close } = driver
  return {
    kind,
    script,
    pool,
    close,
    db: driver.kysely.withPlugin(outside),
    tx: (work) => transaction(driver, work, 3),
    isDown: isOutage,
  }
}

async function transaction<T>(
  driver: Driver,
  work: (tx: Tx) => Promise<T>,
  tries: number,
): Promise<T> {
  if (open.getStore() !== undefined) throw new Error('a transaction is opened inside a transaction')
  const around: Open = { before: [], after: [] }
  let result: T
  try {
    result = await driver.transaction((tx) =>
      open.run(around, async () => ({
        result: await work(tx),
        last: around.before.map((make) => make(tx)),
      })),
    )
  } catch (error) {
    if (tries > 1 && isCollision(error)) return transaction(driver, work, tries - 1)
    throw error
  }
  for (const task of around.after) task()
  return result
}

/**
 * The embedded database has one connection: a query beside its open transaction would wait forever.
 */
const outside: KyselyPlugin = {
  transformQuery({ node }) {
    if (open.getStore() !== undefined)
      throw new Error('the outer database handle is used inside a transaction; use tx')
    return node
  },
  async transformResult({ result }) {
    return result
  },
}

export function violated(error: unknown) {
  return codeOf(error) === '23505' &&
    error instanceof Error &&
    'constraint' in error &&
    typeof error.constraint === 'string'
    ? error.constraint
    : null
}

const isCollision = (error: unknown) => ['40001', '40P01'].includes(codeOf(error) ?? '')

/**
 * Of the connection (08…, 57P0x), resources (53…), statement timeout (57014), lock or disk (55P03,
 * 58…). A name with several addresses fails with an AggregateError.
 */
function isOutage(error: unknown) {
  if (error instanceof AggregateError) return error.errors.some(isOutage)
  const code = codeOf(error) ?? ''
  return (
    /^(08|53|57P0|57014|55P03|58)/.test(code) ||
    UNREACHABLE.test(code) ||
    (error instanceof Error && LOST.test(error.message))
  )
}

const LOST = /terminated|timeout exceeded|timeout expired|not queryable|PGlite is closed/i

const UNREACHABLE = /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
