import type { CompiledQuery, Driver as Connections } from 'kysely'
import type { Ending } from './driver.ts'
import { Tx } from './tables.ts'

/**
 * BEGIN goes with the first statements, COMMIT with the last. After a failure PostgreSQL turns
 * COMMIT into a rollback, which the driver throws.
 */
export async function pipelined<T>(
  connections: Connections,
  work: (tx: Tx) => Promise<Ending<T>>,
): Promise<T> {
  const connection = await connections.acquireConnection()
  let isOver = false
  const tx = new Tx(() => {
    // the connection may already belong to another caller
    if (isOver) throw new Error('a statement comes after the end of its transaction')
    return connection
  })
  try {
    const begun = connections.beginTransaction(connection, {})
    // it is awaited only at the end
    begun.catch(() => undefined)
    const { result, last } = await work(tx).then(
      (ending) => begun.then(() => ending),
      async (error: unknown) => {
        isOver = true
        await connections.rollbackTransaction(connection).catch(() => undefined)
        throw error
      },
    )
    const sent = last.map((one) =>
      one(async <R>(query: CompiledQuery<R>) => (await connection.executeQuery<R>(query)).rows),
    )
    isOver = true
    const answers = await Promise.allSettled([...sent, connections.commitTransaction(connection)])
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return result
  } finally {
    isOver = true
    await connections.releaseConnection(connection)
  }
}
