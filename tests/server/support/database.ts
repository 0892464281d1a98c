import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbedded } from '../../../server/db/embedded.ts'
import { migrate, migrations, type Migration } from '../../../server/db/migrate.ts'
import { databaseOf, type Database } from '../../../server/db/open.ts'
import { openPostgres } from '../../../server/db/postgres.ts'

/** Of the whole schema: a cached copy of a database fits exactly these migrations. */
const schemaHash = (list: readonly Migration[]): string =>
  createHash('sha256')
    .update(list.map((one) => one.hash).join())
    .digest('hex')

const cache = join(import.meta.dirname, '../../../.cache/databases')

/**
 * A migrated, empty database for one test file: embedded from a cached copy, or with DATABASE_URL a
 * copy of a template, dropped on close.
 */
export async function testDatabase(): Promise<Database> {
  const url = process.env['DATABASE_URL']
  return url === undefined ? embedded() : fromTemplate(url)
}

async function embedded(): Promise<Database> {
  const list = migrations()
  const file = join(cache, `${schemaHash(list).slice(0, 16)}.tar`)
  const saved = await readFile(file).catch(() => null)
  if (saved !== null) return databaseOf(await openEmbedded({ dump: new Blob([saved]) }))
  const driver = await openEmbedded({})
  const database = databaseOf(driver)
  await migrate(database, list)
  await mkdir(cache, { recursive: true })
  const half = `${file}.${randomUUID()}`
  await writeFile(half, new Uint8Array(await (await driver.dump()).arrayBuffer()))
  await rename(half, file)
  return database
}

async function fromTemplate(url: string): Promise<Database> {
  const made = await makeDatabase(url)
  const database = databaseOf(openPostgres(made.url, 8))
  return {
    ...database,
    async close() {
      await database.close()
      await made.drop()
    },
  }
}

/**
 * A migrated database beside the one of `url`, for separate processes; an empty one without
 * `migrated`.
 */
export async function makeDatabase(
  url: string,
  migrated = true,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `yaar_test_${randomUUID().replaceAll('-', '')}`
  await administer(url, async (client) => {
    await client.query(
      `create database ${name}${migrated ? ` template ${await templateOf(url, client)}` : ''}`,
    )
  })
  return {
    url: named(url, name),
    drop: () => administer(url, (client) => client.query(`drop database ${name} with (force)`)),
  }
}

/** Of test files that start together one creates the template. */
async function templateOf(url: string, client: pg.Client): Promise<string> {
  const template = `yaar_template_${schemaHash(migrations()).slice(0, 16)}`
  await client.query('select pg_advisory_lock(724002)')
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
    template,
  ])
  if (rowCount === 0) {
    await client.query(`drop database if exists ${template}_new`)
    await client.query(`create database ${template}_new`)
    const fresh = databaseOf(openPostgres(named(url, `${template}_new`), 2))
    await migrate(fresh)
    await fresh.close()
    await client.query(`alter database ${template}_new rename to ${template}`)
  }
  return template
}

async function administer(
  url: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function named(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}
