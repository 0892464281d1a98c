import { createHash } from 'node:crypto'
import pg from 'pg'
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  type PostgresCursor,
  type PostgresPool,
  type PostgresQueryResult,
  type QueryResult,
  type RawBuilder,
} from 'kysely'
import { Client } from './client.ts'
import { Gathering } from './gathering.ts'
import type { Driver } from './open.ts'
import { pipelined } from './pipeline.ts'
import type { Tables, Tx } from './tables.ts'
import { parsers } from './values.ts'

/** PostgreSQL 15 or newer through a pool. Timeouts keep one stuck statement or transaction from stopping everybody ([API 1.1], deadline). */
export function openPostgres(url: string, connections: number): Driver {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    pipeline: true,
    // a look by index costs hardly more than reading on: without it a look for who calls read whole tables until they had statistics (0.25 ms, now 0.03)
    options: '-c random_page_cost=1.1',
    stream: () => new Gathering(),
    max: connections,
    // a machine that is gone without a word fails its statements after some 20 s
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 25_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  })
  // an idle connection that the server cut is replaced by the pool at its next use
  pool.on('error', () => undefined)
  const pooled = planning(pool)
  const dialect = new PostgresDialect({ pool: pooled })
  return {
    kind: 'postgresql',
    kysely: new Kysely<Tables>({ dialect }),
    transaction: async (work) => pipelined(await pooled.connect(), dialect, MARK, work),
    async script(text) {
      await pool.query(text)
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

export const MARK = '/* planned once */'
/**
 * Put before a statement that is long and runs often: PostgreSQL then plans it once per connection. Sending a message took 5 ms
 * with planning and 1.3 ms without. Its text must be one of few, since each stays in the memory of every connection.
 */
export const plannedOnce: RawBuilder<unknown> = sql.raw(MARK)

/** A statement that is ready to be sent. */
export interface Planned<R> {
  compile(): CompiledQuery<R>
  execute(tx: Tx): Promise<QueryResult<R>>
}

const texts = new WeakMap<TemplateStringsArray, string>()

/** The same for a statement whose text never changes: it is put together once, and its values go beside it. */
export function planned<R>(parts: TemplateStringsArray, ...values: readonly unknown[]): Planned<R> {
  const known = texts.get(parts)
  const text = known ?? MARK + parts.map((part, n) => (n === 0 ? part : `$${n}${part}`)).join('')
  if (known === undefined) texts.set(parts, text)
  return plannedAs(text, values)
}

/** The same for a text that begins with the mark and names its values ($1 …). */
export function plannedAs<R>(text: string, values: readonly unknown[]): Planned<R> {
  const compile = (): CompiledQuery<R> => CompiledQuery.raw(text, [...values])
  return { compile, execute: (tx) => tx.executeQuery<R>(compile()) }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}

/** The same pool, but statements with the mark go by name. */
function planning(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      // Overloads, because what the caller expects of the rows is its own affair; cursors are not in use.
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
      function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
      function query(text: unknown, values: readonly unknown[] = []): unknown {
        if (typeof text !== 'string') throw new Error('cursors are not supported')
        return client.query(
          text.startsWith(MARK)
            ? { name: nameOf(text), text, values: [...values] }
            : { text, values: [...values] },
        )
      }
      return { query, release: (destroy) => client.release(destroy) }
    },
  }
}
