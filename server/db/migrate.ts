import { hash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { codeOf } from '../error-code.ts'
import type { Database } from './open.ts'
import { hasRows } from './sql.ts'
import { liftTimeout } from './timeouts.ts'

export type Migration = Readonly<{
  name: string
  sql: string
  hash: string
}>

const folder = join(import.meta.dirname, 'migrations')

export function migrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{3}-[a-z0-9-]+\.sql$/.test(name))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { name, sql: text, hash: hash('sha256', text, 'hex') }
    })
}

/**
 * Each with its row in one transaction; safe from several processes. Throws when an applied one was
 * changed or is unknown.
 */
export async function migrate(database: Database, list: readonly Migration[] = migrations()) {
  await database
    .script(
      `create table if not exists migration (
        name text primary key, hash text not null, applied_at timestamptz not null default now())`,
    )
    .catch(ignoreRace)
  const done: string[] = []
  for (const next of list) if (await apply(database, next)) done.push(next.name)
  await refuseUnknown(database, list)
  return done
}

async function apply(database: Database, next: Migration) {
  return database.tx(async (tx) => {
    // waiting for another process's migration has no limit, waiting for a table lock has one
    await sql`select set_config('statement_timeout', '0', true)`.execute(tx)
    if (database.kind === 'postgresql') await sql`select pg_advisory_xact_lock(724001)`.execute(tx)
    await liftTimeout(tx)
    const known = await sql<{
      hash: string
    }>`select hash from migration where name = ${next.name}`.execute(tx)
    const applied = known.rows[0]?.hash
    if (applied === next.hash) return false
    if (applied !== undefined)
      throw new Error(`migration ${next.name} was changed after it was applied`)
    for (const statement of statements(next.sql)) await sql.raw(statement).execute(tx)
    await sql`insert into migration (name, hash) values (${next.name}, ${next.hash})`.execute(tx)
    return true
  })
}

export async function missingMigrations(
  { db }: Database,
  list: readonly Migration[] = migrations(),
) {
  const isNew = !(await hasRows(
    db,
    sql`pg_tables where schemaname = 'public' and tablename = 'migration'`,
  ))
  const { rows } = isNew
    ? { rows: [] }
    : await sql<{ name: string }>`select name from migration`.execute(db)
  return list.map(({ name }) => name).filter((name) => !rows.some((row) => row.name === name))
}

async function refuseUnknown(database: Database, list: readonly Migration[]) {
  const { rows } = await sql<{ name: string }>`select name from migration order by name`.execute(
    database.db,
  )
  const unknown = rows.find((row) => !list.some((one) => one.name === row.name))
  if (unknown !== undefined)
    throw new Error(
      `the database has migration ${unknown.name} of a newer version; going back is not possible`,
    )
}

/** Of two processes at once, one may see the other's unfinished type. */
function ignoreRace(error: unknown) {
  if (!['23505', '42P07', '42710'].includes(codeOf(error) ?? '')) throw error
}

/** Splits at semicolons outside quotes, dollar quotes and comments. */
export function statements(script: string) {
  const parts: string[] = []
  const token =
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$([a-z_]*)\$[\s\S]*?\$\1\$|;|[^;'"$/-]+|[\s\S]/gi
  let current = ''
  for (const [text] of script.matchAll(token)) {
    if (text === ';') {
      parts.push(current)
      current = ''
    } else if (!text.startsWith('--') && !text.startsWith('/*')) current += text
  }
  return [...parts, current].map((part) => part.trim()).filter((part) => part !== '')
}
