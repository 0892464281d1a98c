import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables, Tx } from './tables.ts'

export interface Driver {
  readonly kind: 'pglite' | 'postgresql'
  readonly kysely: Kysely<Tables>
  /** Commits after `work` and its `last` statements, or rolls back when any rejects. */
  transaction<T>(work: (tx: Tx) => Promise<Ending<T>>): Promise<T>
  script(sql: string): Promise<void>
  /** null: the embedded database has one connection. */
  pool(): Pool | null
  close(): Promise<void>
}

export type Pool = Readonly<{
  open: number
  idle: number
  waiting: number
}>

export interface Ending<T> {
  readonly result: T
  readonly last: readonly ((send: Send) => Promise<void>)[]
}
type Send = <R>(query: CompiledQuery<R>) => Promise<readonly R[]>
