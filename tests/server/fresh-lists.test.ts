import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { listingPage } from '#schema/wire/listing'
import { databaseOf, type Database } from '../../server/db/open.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import { addListing, addPerson, signIn } from './support/sample.ts'
import { startServer, type Started } from './start-server.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const EDITS = 40
const READERS = 12

describe.skipIf(process.env['DATABASE_URL'] === undefined)(
  '[API 3] lists of two processes on one PostgreSQL',
  () => {
    let servers: [Started, Started]
    let database: Database
    let author: { Authorization: string }
    const ids: string[] = []

    beforeAll(async () => {
      const first = await startServer({ RATE_LIMITS: 'off' })
      servers = [first, await startServer({ RATE_LIMITS: 'off', ...first.same })]
      database = databaseOf(openPostgres(first.same['DATABASE_URL'] ?? '', 2))
      const seller = await addPerson(database.db, 'awa')
      author = await signIn(database.db, seller)
      for (let n = 0; n < 40; n += 1)
        ids.push(await addListing(database.db, seller, { price: 1000 + n }))
    })
    afterAll(async () => {
      await database.close()
      await Promise.all(servers.map((server) => server.stop()))
    })

    const pricesAt = async (server: Started): Promise<Map<string, number | null>> => {
      const response = await fetch(
        `${server.url}/api/listings/?category=cars&price_min=400000&page_size=50`,
      )
      const { results } = v.parse(listingPage, await response.json())
      return new Map(results.map(({ id, price }) => [id, price]))
    }

    test('a committed edit is in the next list, from either process, while twelve others read', async () => {
      const over = new AbortController()
      const readers = Array.from({ length: READERS }, async (_, n) => {
        while (!over.signal.aborted) await pricesAt(servers[n % 2 === 0 ? 0 : 1])
      })
      const unseen: number[] = []
      for (let n = 0; n < EDITS; n += 1) {
        const [writes, reads] = n % 3 === 0 ? [servers[0], servers[1]] : [servers[0], servers[0]]
        const id = ids[n] ?? ''
        const price = 500_000 + n
        const edit = await fetch(`${writes.url}/api/listings/${id}/`, {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/json', ...author },
          body: JSON.stringify({ price }),
        })
        expect(edit.status).toBe(200)
        if ((await pricesAt(reads)).get(id) !== price) unseen.push(n)
      }
      over.abort()
      await Promise.all(readers)
      expect(unseen).toEqual([])
    })

    test('a reader of changes misses none, however commits overlap', async () => {
      const start = v.parse(
        listingPage,
        await (
          await fetch(`${servers[0].url}/api/listings/?category=cars&price_min=400000&page_size=50`)
        ).json(),
      )
      const over = new AbortController()
      const seen = new Map<string, number | null>()
      const follow = async (cursor: string): Promise<string> => {
        const delta = v.parse(
          listingPage,
          await (
            await fetch(`${servers[1].url}/api/listings/?category=cars&changed_since=${cursor}`)
          ).json(),
        )
        for (const { id, price } of delta.results) seen.set(id, price)
        return delta.cursor ?? cursor
      }
      let cursor = start.cursor ?? ''
      const following = (async () => {
        while (!over.signal.aborted) cursor = await follow(cursor)
      })()
      await Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          for (let n = writer; n < ids.length; n += 8) {
            const server = servers[n % 2 === 0 ? 0 : 1]
            const edit = await fetch(`${server.url}/api/listings/${ids[n]}/`, {
              method: 'PATCH',
              headers: { 'Content-Type': 'application/json', ...author },
              body: JSON.stringify({ price: 700_000 + n }),
            })
            expect(edit.status).toBe(200)
          }
        }),
      )
      over.abort()
      await following
      await follow(cursor)
      expect(ids.map((id) => seen.get(id))).toEqual(ids.map((_, n) => 700_000 + n))
    })
  },
)
