import { sql, type RawBuilder } from 'kysely'
import type { Db } from './tables.ts'

/** A constant text, which costs nothing to compile. */
export const columnsOf = (at: string, names: readonly string[]): RawBuilder<unknown> =>
  sql.raw(names.map((name) => `${at}.${name}`).join(', '))

/** As one JSON object; `more` has further members, as `'name', value`. */
export const jsonOf = (
  at: string,
  names: readonly string[],
  ...more: readonly string[]
): RawBuilder<unknown> =>
  sql.raw(
    `jsonb_build_object(${[...names.map((name) => `'${name}', ${at}.${name}`), ...more].join(', ')})`,
  )

export async function countOf(db: Db, from: RawBuilder<unknown>) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${from}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function hasRows(db: Db, from: RawBuilder<unknown>) {
  return (await sql`select from ${from} limit 1`.execute(db)).rows.length > 0
}

/** Of a row that an upsert returns. */
export const isInserted = sql<boolean>`xmax = 0`.as('is_new')
