import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type RawBuilder } from 'kysely'
import { makeDatabase, testDatabase } from '../../tests/server/support/database.ts'
import { plannedOnce } from './postgres.ts'
import { afterCommit, beforeCommit, databaseOf, violated, type Database } from './open.ts'
import { openPostgres } from './postgres.ts'
import { migrate, migrations, statements } from './migrate.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const put = (name: string) => ({ name, value: 'x' })

test('a transaction commits when it resolves and rolls back when it rejects', async () => {
  await database.tx((tx) => tx.insertInto('setting').values(put('kept')).execute())
  await expect(
    database.tx(async (tx) => {
      await tx.insertInto('setting').values(put('lost')).execute()
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const names = await database.db
    .selectFrom('setting')
    .select('name')
    .where('name', 'in', ['kept', 'lost'])
    .execute()
  expect(names).toEqual([{ name: 'kept' }])
})

test('the outer handle inside a transaction throws instead of waiting for ever', async () => {
  await expect(
    database.tx(() => database.db.selectFrom('setting').selectAll().execute()),
  ).rejects.toThrow('outer database handle')
  await expect(database.tx(() => database.tx(async () => 1))).rejects.toThrow(
    'inside a transaction',
  )
})

test('a failed statement names its constraint, and the database stays usable', async () => {
  const twice = () => database.tx((tx) => tx.insertInto('setting').values(put('twice')).execute())
  await twice()
  const error = await twice().catch((e: unknown) => e)
  expect(violated(error)).toBe('setting_pkey')
  expect(await sql`select 1 as one`.execute(database.db)).toMatchObject({ rows: [{ one: 1 }] })
})

test('both drivers read the same values', async () => {
  const { rows } =
    await sql`select 7::int8 as int8, 1.5::numeric as numeric, '2026-03-01'::date as day, '{"a":[1]}'::jsonb as json,
    '2026-03-01T09:15:04.120Z'::timestamptz as at, array['a','b'] as texts, true as yes`.execute(
      database.db,
    )
  expect(rows).toEqual([
    {
      int8: 7,
      numeric: 1.5,
      day: '2026-03-01',
      json: { a: [1] },
      at: new Date('2026-03-01T09:15:04.120Z'),
      texts: ['a', 'b'],
      yes: true,
    },
  ])
  await expect(sql`select 9007199254740993::int8`.execute(database.db)).rejects.toThrow(RangeError)
})

test('afterCommit tasks run after the commit, never after a rollback', async () => {
  const seen: string[] = []
  await database.tx(async () => {
    afterCommit(() => seen.push('done'))
    expect(seen).toEqual([])
  })
  await database
    .tx(async () => {
      afterCommit(() => seen.push('never'))
      throw new Error('no')
    })
    .catch(() => undefined)
  expect(seen).toEqual(['done'])
})

test('a last statement is part of the transaction, and its failure rolls back the rest', async () => {
  const ending = (last: () => RawBuilder<unknown>) =>
    database.tx(async (tx) => {
      beforeCommit(() => sql`insert into setting (name, value) values ('late', '1')`)
      beforeCommit(last)
      await tx.insertInto('setting').values(put('early')).execute()
    })
  const left = async () =>
    (
      await database.db
        .selectFrom('setting')
        .select('name')
        .where('name', 'in', ['early', 'late'])
        .orderBy('name')
        .execute()
    ).map(({ name }) => name)
  await expect(
    ending(() => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await expect(ending(() => sql`select 1 / 0`)).rejects.toThrow('division')
  expect(await left()).toEqual([])
  await ending(() => sql`select 1`)
  expect(await left()).toEqual(['early', 'late'])
})

test('the rows of the last statements are passed on after the commit, never after a rollback', async () => {
  const seen: unknown[] = []
  await database.tx(async () => {
    beforeCommit(
      () => sql<{ n: number }>`select 7 as n`,
      ([row]) => seen.push(row?.n),
    )
  })
  const failing = database.tx(async () => {
    beforeCommit(
      () => sql`select 8 as n`,
      () => seen.push('never'),
    )
    beforeCommit(() => sql`select 1 / 0`)
  })
  await expect(failing).rejects.toThrow('division')
  expect(seen).toEqual([7])
})

test('a deadlock in a last statement runs the work again', async () => {
  let tries = 0
  const committed: number[] = []
  await database.tx(async () => {
    tries += 1
    const isFirst = tries === 1
    beforeCommit(
      () =>
        isFirst
          ? sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`
          : sql`select 1`,
      () => committed.push(tries),
    )
  })
  expect([tries, committed]).toEqual([2, [2]])
})

test('concurrent statements of a transaction are answered in order and fail together', async () => {
  const both = await database.tx((tx) =>
    Promise.all(
      [1, 2].map(
        async (n) => (await sql<{ n: number }>`select ${n}::int as n`.execute(tx)).rows[0]?.n,
      ),
    ),
  )
  expect(both).toEqual([1, 2])
  await expect(
    database.tx((tx) =>
      Promise.all([
        sql`select 1 / 0`.execute(tx),
        tx.insertInto('setting').values(put('beside')).execute(),
      ]),
    ),
  ).rejects.toThrow('division')
  expect(
    await database.db.selectFrom('setting').select('name').where('name', '=', 'beside').execute(),
  ).toEqual([])
})

test('a transaction with an ignored failure does not succeed', async () => {
  const swallowed = database.tx(async (tx) => {
    await tx.insertInto('setting').values(put('lost')).execute()
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
  })
  await expect(swallowed).rejects.toThrow()
  expect(
    await database.db.selectFrom('setting').select('name').where('name', '=', 'lost').execute(),
  ).toEqual([])
})

test('a statement after the end of its transaction is refused', async () => {
  const tx = await database.tx(async (same) => same)
  await expect(sql`select 1`.execute(tx)).rejects.toThrow()
})

test('migrations run once and refuse what was changed afterwards', async () => {
  expect(await migrate(database)).toEqual([])
  await expect(
    migrate(database, [{ name: '001-accounts.sql', sql: 'select 1', hash: 'other' }]),
  ).rejects.toThrow('was changed')
  await expect(migrate(database, [])).rejects.toThrow('newer version')
})

test('a script is split at semicolons outside quotes and comments', () => {
  expect(
    statements('a \'x;y\' ; -- no; really\ncreate function f() as $$ one; two $$; /* ; */ "q;"'),
  ).toEqual(["a 'x;y'", 'create function f() as $$ one; two $$', '"q;"'])
})

const url = process.env['DATABASE_URL']
test.skipIf(url === undefined)(
  'several processes may bring one database to the newest schema at once',
  async () => {
    const made = await makeDatabase(url ?? '', false)
    const processes = Array.from({ length: 4 }, () => databaseOf(openPostgres(made.url, 2)))
    const applied = await Promise.all(processes.map((one) => migrate(one)))
    expect(applied.flat().toSorted()).toEqual(migrations().map(({ name }) => name))
    await Promise.all(processes.map((one) => one.close()))
    await made.drop()
  },
)

test.skipIf(url === undefined)(
  'a migration, and the wait for another process’s, may exceed the statement timeout',
  async () => {
    const made = await makeDatabase(url ?? '', false)
    // parameters of the URL override those of the pool
    const processes = Array.from({ length: 2 }, () =>
      databaseOf(openPostgres(`${made.url}?statement_timeout=200`, 2)),
    )
    const slow = [{ name: '001-slow.sql', sql: 'select pg_sleep(0.8)', hash: 'slow' }]
    expect((await Promise.all(processes.map((one) => migrate(one, slow)))).flat()).toEqual([
      '001-slow.sql',
    ])
    await Promise.all(processes.map((one) => one.close()))
    await made.drop()
  },
)

test.skipIf(process.env['DATABASE_URL'] === undefined)(
  'a statement with the mark is planned once per connection',
  async () => {
    const count = (n: number) => sql<{ one: number }>`${plannedOnce} select ${n}::int + 1 as one`
    await database.tx(async (tx) => {
      expect(
        [await count(1).execute(tx), await count(2).execute(tx)].map(({ rows }) => rows),
      ).toEqual([[{ one: 2 }], [{ one: 3 }]])
      const { rows } =
        await sql`select statement from pg_prepared_statements where statement like '%::int + 1 as one'`.execute(
          tx,
        )
      expect(rows).toHaveLength(1)
    })
  },
)
