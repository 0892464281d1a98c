import { sql, type RawBuilder } from 'kysely'
import { databaseOf } from '../../server/db/open.ts'
import { openPostgres } from '../../server/db/postgres.ts'
import type { Tx } from '../../server/db/tables.ts'

/** Columns that a copy does not take from the original. */
const CHANGED: Readonly<Record<string, RawBuilder<unknown>>> = {
  id: sql`pg_temp.copied(l.id, k)`,
  cover_id: sql`pg_temp.copied(l.cover_id, k)`,
  images_count: sql`least(l.images_count, 1)`,
  price: sql`greatest(500, round(l.price * (0.7 + 0.6 * random()) / 500) * 500)`,
  posted_at: sql`l.posted_at - shift`,
}
const FILLED_IN = ['num', 'client_id', 'client_fingerprint', 'listed', 'readable']

/**
 * Copies the first `base` listings within the database until there are `size`, with cover and
 * tally, at other prices and earlier dates. Generating half a million rows would take an hour.
 */
export async function crowd(databaseUrl: string, base: number, size: number): Promise<void> {
  const database = databaseOf(openPostgres(databaseUrl, 1))
  try {
    await database.script('set statement_timeout = 0')
    await database.tx(async (tx) => {
      await sql`create function pg_temp.copied(id text, k integer) returns text language sql immutable as
        $$ select substr(id, 1, 14) || '7' || substr(md5(id || ' ' || k), 1, 3) || '-8'
          || substr(md5(id || ' ' || k), 4, 3) || '-' || substr(md5(id || ' ' || k), 7, 12) $$`.execute(
        tx,
      )
      await withoutIndexes(tx, ['listing', 'picture', 'listing_tally'], () =>
        multiply(tx, base, size),
      )
    })
    for (const table of ['listing', 'listing_tally', 'picture'])
      await database.script(`vacuum analyze ${table}`)
    // Otherwise dirty pages are written during the next measurement.
    await database.script('checkpoint')
  } finally {
    await database.close()
  }
}

async function multiply(tx: Tx, base: number, size: number): Promise<void> {
  await sql`create temporary table base on commit drop as select id from listing order by num limit ${base}`.execute(
    tx,
  )
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int / ${base}::int as n from listing`.execute(tx)
  const [first, last] = [rows[0]?.n ?? 1, Math.round(size / base) - 1]
  const { rows: columns } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_name = 'listing' and column_name <> all(${FILLED_IN}) order by ordinal_position`.execute(
    tx,
  )
  const into = sql.join(columns.map(({ name }) => sql.ref(name)))
  const values = sql.join(columns.map(({ name }) => CHANGED[name] ?? sql.ref(`l.${name}`)))
  // Its trigger would insert the tallies one by one.
  await sql`alter table listing disable trigger listing_tally_begins`.execute(tx)
  await sql`insert into listing (${into}) select ${values} from base join listing l using (id)
    cross join generate_series(${first}::int, ${last}::int) as k
    cross join lateral
      (select random() * interval '1 day' + k * interval '0 s' as shift) as moved`.execute(tx)
  // A table with waiting triggers cannot be altered.
  await sql`set constraints all immediate`.execute(tx)
  await sql`alter table listing enable trigger listing_tally_begins`.execute(tx)
  await sql`insert into listing_tally (listing_id, views_total, favorites_count)
    select pg_temp.copied(t.listing_id, k), t.views_total, t.favorites_count
    from base join listing_tally t on t.listing_id = base.id
    cross join generate_series(${first}::int, ${last}::int) as k`.execute(tx)
  await sql`insert into picture (id, owner_id, hash, width, height, formats, thumbhash, color, bytes,
      listing_id, position, created_at, settled_at)
    select pg_temp.copied(p.id, k), p.owner_id, p.hash, p.width, p.height, p.formats, p.thumbhash,
      p.color, p.bytes, pg_temp.copied(p.listing_id, k), 0, p.created_at, p.settled_at
    from base join picture p on p.listing_id = base.id and p.position = 0
    cross join generate_series(${first}::int, ${last}::int) as k`.execute(tx)
}

/** Drops the indexes without a constraint during `work`, and creates them again. */
async function withoutIndexes(
  tx: Tx,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ name: string; text: string }>`
    select indexname as name, indexdef as text from pg_indexes
    where tablename = any(${[...tables]}) and not exists (select from pg_constraint where conname = indexname)`.execute(
    tx,
  )
  for (const { name } of rows) await sql`drop index ${sql.id(name)}`.execute(tx)
  await work()
  for (const { text } of rows) await sql.raw(text).execute(tx)
}
