import {
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresQueryCompiler,
  Transaction,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryResult,
} from 'kysely'
import type { Ending } from './driver.ts'
import type { Tables, Tx } from './tables.ts'

/**
 * One transaction on a lent connection, pipelined: BEGIN goes with the first statements, COMMIT
 * with the last. PostgreSQL refuses what follows a failure and turns COMMIT into a rollback.
 */
export async function pipelined<T>(
  client: PostgresPoolClient,
  dialect: Dialect,
  mark: string,
  work: (tx: Tx) => Promise<Ending<T>>,
): Promise<T> {
  const line = new Line(client)
  const command = (text: string): Promise<PostgresQueryResult<unknown>> =>
    client.query(`${mark} ${text}`, [])
  let isSound = true
  try {
    const begun = command('begin')
    // it is awaited only at the end
    begun.catch(() => undefined)
    const { result, last } = await work(over(line, dialect)).then(
      (ending) => begun.then(() => ending),
      async (error: unknown) => {
        line.isOver = true
        isSound = await command('rollback').then(
          () => true,
          () => false,
        )
        throw error
      },
    )
    const sent = last.map((one) =>
      one(async <R>(query: CompiledQuery<R>) => (await line.executeQuery<R>(query)).rows),
    )
    line.isOver = true
    const committed = command('commit')
    const failed = (await Promise.allSettled([...sent, committed])).find(
      (answer) => answer.status === 'rejected',
    )
    if (failed !== undefined) throw failed.reason
    if ((await committed).command === 'ROLLBACK')
      throw new Error('a transaction was to be committed in which a statement had failed')
    return result
  } finally {
    line.isOver = true
    client.release(!isSound)
  }
}

const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const driver = new DummyDriver()

const over = (line: Line, dialect: Dialect): Tx =>
  new Transaction<Tables>({
    config: { dialect },
    dialect,
    driver,
    executor: new DefaultQueryExecutor(compiler, adapter, {
      provideConnection: (use) => use(line),
    }),
  })

class Line implements DatabaseConnection {
  /** The connection may already belong to another caller. */
  isOver = false
  readonly #client: PostgresPoolClient

  constructor(client: PostgresPoolClient) {
    this.#client = client
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.isOver) throw new Error('a statement comes after the end of its transaction')
    const { command, rowCount, rows } = await this.#client.query<R>(sql, parameters)
    return ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
      ? { numAffectedRows: BigInt(rowCount), rows }
      : { rows }
  }

  streamQuery(): never {
    throw new Error('cursors are not supported')
  }
}
