import { hash } from 'node:crypto'
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
import type { Driver } from './driver.ts'
import { pipelined } from './pipeline.ts'
import type { Tables, Tx } from './tables.ts'
import { parsers } from './values.ts'

/** Timeouts bound a stuck statement or transaction ([API 1.1], deadline). */
export function openPostgres(url: string, connections: number): Driver {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    pipeline: true,
    // with the default, the caller's query scanned whole tables until they had statistics
    options: '-c random_page_cost=1.1',
    stream: () => new Gathering(),
    max: connections,
    // detects a lost machine after some 20 s
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: 25_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: (oid, format) => parsers[oid] ?? pg.types.getTypeParser(oid, format) },
  })
  // the pool replaces a closed connection at its next use
  pool.on('error', () => undefined)
  const dialect = new PostgresDialect({ pool: planning(pool) })
  const driver = dialect.createDriver()
  const opened = driver.init()
  return {
    kind: 'postgresql',
    kysely: new Kysely<Tables>({ dialect }),
    transaction: (work) => opened.then(() => pipelined(driver, work)),
    async script(text) {
      await pool.query(text)
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

export const MARK = '/* planned once */'
/**
 * PostgreSQL plans such a statement once per connection (sending a message: 5 ms, then 1.3). Few
 * texts: each stays in every connection's memory.
 */
export const plannedOnce: RawBuilder<unknown> = sql.raw(MARK)

export interface Planned<R> {
  compile(): CompiledQuery<R>
  execute(tx: Tx): Promise<QueryResult<R>>
}

const texts = new WeakMap<TemplateStringsArray, string>()

/** For a constant text: it is built once. */
export function planned<R>(parts: TemplateStringsArray, ...values: readonly unknown[]): Planned<R> {
  const known = texts.get(parts)
  const text = known ?? MARK + parts.map((part, n) => (n === 0 ? part : `$${n}${part}`)).join('')
  if (known === undefined) texts.set(parts, text)
  return plannedAs(text, values)
}

/** For a text that starts with MARK and numbers its parameters. */
export function plannedAs<R>(text: string, values: readonly unknown[]): Planned<R> {
  const compile = (): CompiledQuery<R> => CompiledQuery.raw(text, [...values])
  return { compile, execute: (tx) => tx.executeQuery<R>(compile()) }
}

/** As the driver of Kysely sends them. */
const COMMANDS = new Set(['begin', 'commit', 'rollback'])
const names = new Map<string, string>()

function nameOf(text: string) {
  const known = names.get(text)
  if (known !== undefined) return known
  const name = hash('sha256', text, 'hex').slice(0, 32)
  names.set(text, name)
  return name
}

function planning(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      // The caller chooses the row type; cursors are not used.
      function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
      function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
      function query(text: unknown, values: readonly unknown[] = []): unknown {
        if (typeof text !== 'string') throw new Error('cursors are not supported')
        return client.query(
          text.startsWith(MARK) || COMMANDS.has(text)
            ? { name: nameOf(text), text, values: [...values] }
            : { text, values: [...values] },
        )
      }
      return { query, release: (destroy) => client.release(destroy) }
    },
  }
}
