import { mkdir } from 'node:fs/promises'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { Kysely, PGliteDialect } from 'kysely'
import type { Driver } from './open.ts'
import type { Tables } from './tables.ts'
import { parsers } from './values.ts'

/** PostgreSQL compiled into the process, in a folder or (without one) in memory; `dump` starts it from a saved copy. */
export async function openEmbedded(where: { dataDir?: string; dump?: Blob }): Promise<Driver & { dump(): Promise<Blob> }> {
  if (where.dataDir !== undefined) await mkdir(where.dataDir, { recursive: true })
  const options: PGliteOptions = { extensions: { unaccent, pg_trgm }, parsers: { ...parsers } }
  if (where.dataDir !== undefined) options.dataDir = where.dataDir
  if (where.dump !== undefined) options.loadDataDir = where.dump
  const pglite = await PGlite.create(options)
  return {
    kind: 'pglite',
    kysely: new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) }),
    async script(sql) {
      await pglite.exec(sql)
    },
    async close() {
      if (!pglite.closed) await pglite.close()
    },
    dump: () => pglite.dumpDataDir('none'),
  }
}
