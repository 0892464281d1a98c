import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { listingPage } from '#schema/wire/listing'
import { databaseOf } from '../../server/db/open.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { addPerson, listingRow, signIn } from './support/sample.ts'
import { discard } from '../support/folder.ts'
import { programs, withPostgres } from '../support/postgres.ts'
import { newFolder, startServer, type Started } from './start-server.ts'

// Two clusters and two servers.
vi.setConfig({ testTimeout: 300_000 })

const LISTINGS = 6000
/** Earlier transactions of the old cluster. */
const HISTORY = 60_000
const ROUNDS = 40

async function lay(url: string): Promise<{ seller: string; id: string }> {
  const database = databaseOf(openPostgres(url, 2))
  await database.script(
    `do $$ begin for i in 1..${HISTORY} loop perform pg_current_xact_id(); commit; end loop; end $$`,
  )
  const seller = await addPerson(database.db, 'awa')
  const rows = Array.from({ length: LISTINGS }, (_, n) => listingRow(seller, { price: 1000 + n }))
  for (let from = 0; from < rows.length; from += 500)
    await database.db
      .insertInto('listing')
      .values(rows.slice(from, from + 500))
      .execute()
  await database.script('vacuum analyze')
  await database.close()
  return { seller, id: rows[0]?.id ?? '' }
}

/** The steps of docs/running.md: dump, restore into an empty database, another epoch. */
async function restore(from: string, to: string): Promise<void> {
  const folder = await newFolder()
  const file = join(folder, 'dump')
  execFileSync(join(programs(), 'pg_dump'), ['-Fc', '-f', file, from])
  execFileSync(join(programs(), 'pg_restore'), ['--no-owner', '-d', to, file])
  discard(folder)
  const database = databaseOf(openPostgres(to, 1))
  await sql`update setting set value = substr(md5(random()::text), 1, 8) where name = 'epoch'`.execute(
    database.db,
  )
  await database.script('vacuum analyze')
  await database.close()
}

const list = async ({ url }: Started, query: string) =>
  v.parse(listingPage, await (await fetch(`${url}/api/listings/?${query}`)).json())

async function timed({ url }: Started, path: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${url}/api/${path}`)
  await response.text()
  expect(response.status).toBe(200)
  return performance.now() - began
}
/** The lower quartile: the duration on an idle machine. */
const quick = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 4)] ?? 0

describe.skipIf(process.env['DATABASE_URL'] === undefined)(
  'a dump restored into a fresh cluster',
  () => {
    test('[API 3] lists are as fast as before, and an edit is visible at once', async () => {
      // The old cluster: a server creates its database, as for an operator.
      const old = await startServer({ RATE_LIMITS: 'off' })
      const source = old.same['DATABASE_URL'] ?? ''
      const { seller, id } = await lay(source)
      await withPostgres(async (target) => {
        await restore(source, target)
        const dataDir = await newFolder()
        const fresh = await startServer({
          RATE_LIMITS: 'off',
          DATA_DIR: dataDir,
          DATABASE_URL: target,
        })
        for (const path of [
          'listings/?category=cars&ordering=price',
          'listings/facets/?category=cars',
        ]) {
          const times: { before: number[]; after: number[] } = { before: [], after: [] }
          for (let n = 0; n < ROUNDS; n += 1) {
            times.before.push(await timed(old, `${path}&price_min=${1000 + n}`))
            times.after.push(await timed(fresh, `${path}&price_min=${1000 + n}`))
          }
          console.log(
            `${path}: ${quick(times.before).toFixed(1)} ms before, ` +
              `${quick(times.after).toFixed(1)} ms after the restore`,
          )
          expect(quick(times.after) / quick(times.before)).toBeLessThan(1.5)
        }

        const { cursor } = await list(fresh, 'category=cars')
        const database = databaseOf(openPostgres(target, 1))
        const author = await signIn(database.db, seller)
        await database.close()
        const edit = await fetch(`${fresh.url}/api/listings/${id}/`, {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/json', ...author },
          body: JSON.stringify({ price: 900_000 }),
        })
        expect(edit.status).toBe(200)
        const dearest = await list(fresh, 'category=cars&ordering=-price')
        const changes = await list(fresh, `category=cars&changed_since=${cursor}`)
        expect([dearest.results[0]?.id, changes.results.map((one) => one.id)]).toEqual([id, [id]])
        await fresh.stop()
        discard(dataDir)
      })
      await old.stop()
    })
  },
)
