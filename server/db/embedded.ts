import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { PGlite, type PGliteOptions, type Transaction } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { Kysely, PGliteDialect, type CompiledQuery, type DatabaseConnection } from 'kysely'
import type { Driver } from './driver.ts'
import { Tx, type Tables } from './tables.ts'
import { parsers } from './values.ts'

/** PostgreSQL within the process, in a folder or in memory; `dump` restores a copy. */
export async function openEmbedded(where: {
  dataDir?: string
  dump?: Blob
}): Promise<Driver & { dump(): Promise<Blob> }> {
  if (where.dataDir !== undefined) await makeFolder(where.dataDir)
  const options: PGliteOptions = { extensions: { unaccent, pg_trgm }, parsers: { ...parsers } }
  if (where.dataDir !== undefined) options.dataDir = where.dataDir
  if (where.dump !== undefined) options.loadDataDir = where.dump
  const pglite = await PGlite.create(options)
  const kysely = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) })
  return {
    kind: 'pglite',
    kysely,
    transaction: (work) =>
      pglite.transaction(async (inner) => {
        const tx = new Tx(() => connectionOf(inner))
        const { result, last } = await work(tx)
        for (const one of last) await one(async (query) => (await tx.executeQuery(query)).rows)
        return result
      }),
    async script(sql) {
      await pglite.exec(sql)
    },
    pool: () => null,
    async close() {
      if (!pglite.closed) await pglite.close()
    },
    dump: () => pglite.dumpDataDir('none'),
  }
}

const connectionOf = (inner: Transaction): DatabaseConnection => ({
  async executeQuery<R>({ sql, parameters }: CompiledQuery) {
    const { rows, affectedRows = 0 } = await inner.query<R>(sql, [...parameters])
    return { rows, numAffectedRows: BigInt(affectedRows) }
  },
  streamQuery: () => {
    throw new Error('cursors are not supported')
  },
})

/** Renamed when complete: a first start that is killed leaves no partial database. */
async function makeFolder(dataDir: string) {
  const there = await readdir(dataDir).catch(() => [])
  if (there.length > 0) return
  const half = `${dataDir}.new`
  await rm(half, { recursive: true, force: true })
  await mkdir(half, { recursive: true })
  const pglite = await PGlite.create({ dataDir: half })
  await pglite.close()
  await rename(half, dataDir)
}
