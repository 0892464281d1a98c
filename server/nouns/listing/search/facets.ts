import { sql, type RawBuilder } from 'kysely'
import { type Counts, countFacets, facetsOf, PriceTally, TextTally, wantedOf } from '#schema/facets'
import type { Filter } from '#schema/filter'
import type { SpecField } from '#schema/wire/catalogue'
import type { Facets } from '#schema/wire/listing'
import { AnswerCache } from '../../../answer-cache.ts'
import { countOf } from '../../../db/sql.ts'
import type { Db } from '../../../db/tables.ts'
import type { View } from '../card.ts'
import { type Count, counted, EXACT_MAX, rowsOf, someOf } from './find.ts'
import { isKept, keptCounts, type Tallied } from './kept.ts'
import { type Asked, momentOf } from './queries.ts'
import { priceAt, sortOrderOf } from './sort.ts'

/** [API 1.3, D106] */
export async function countMatches(db: Db, asked: Asked, now: Date): Promise<Count> {
  const kept = isKept(asked) ? await keptCounts(db, asked.filter, [''], now) : null
  if (kept !== null) return { count: totalOf(kept), exact: true }
  const some = await someOf(db, asked, sql`1`, EXACT_MAX + 1, now)
  return counted(await countOf(db, sql`${some} l`))
}

const totalOf = (rows: readonly Tallied[]) =>
  rows.reduce((sum, { facet, n }) => (facet === '' ? sum + n : sum), 0)

/** `kept`: in `listing_counts`. `value`: of a listing `l`. `own`: its part of a filter, emptied. */
const facet = (
  name: string,
  kept: string,
  value: RawBuilder<unknown>,
  own: Partial<Filter> = {},
) => ({ name, kept, value, own })
type Facet = ReturnType<typeof facet>

const TOTAL = facet('', '', sql`''::text`)
const PRICE = facet('price', 'price', sql`l.price::text`, { priceMin: null, priceMax: null })
const FACETS = [
  TOTAL,
  facet('categories', '', sql`listing_pair(l.category, l.specs)`, { categories: [] }),
  facet('regions', 'region', sql`l.region`, { regions: [] }),
  facet('towns', 'town', sql`l.town`, { towns: [] }),
  facet('conditions', 'condition', sql`l.condition`, { conditions: [] }),
  PRICE,
]

function ofSpec({ name, type }: SpecField) {
  const text = sql`l.specs ->> ${name}::text`
  // A number in a text, from an older schema, does not count.
  const value =
    type === 'text'
      ? sql`case when jsonb_typeof(l.specs -> ${name}::text) <> 'number' then ${text} end`
      : text
  return facet(`spec.${name}`, `spec.${name}`, value)
}

function without(filter: Filter, { name, own }: Facet) {
  const specs = filter.specs.filter((spec) => `spec.${spec.name}` !== name)
  return { ...filter, specs, ...own }
}

/** [API 8.3]; `asked` null: no listing matches. */
export async function readFacets(
  db: Db,
  asked: Asked | null,
  filter: Filter,
  { language, now }: View,
): Promise<Facets> {
  const year = now.getUTCFullYear()
  if (asked === null) return countFacets([], filter, [], language, year)
  return facetsOf(await countsOf(db, asked, now), filter, language, year)
}

type Group = ReturnType<typeof groupsOf>[number]

/** Most facets have no part in the filter. Those with the same rest of it are counted together. */
const groupsOf = (asked: Asked, facets: readonly Facet[]) =>
  [...Map.groupBy(facets, (one) => JSON.stringify(without(asked.filter, one)))].map(
    ([rest, together]) => ({
      key: JSON.stringify([rest, asked.scope, asked.sellerId, together.map(({ name }) => name)]),
      asked: { ...asked, filter: without(asked.filter, together[0] ?? TOTAL) },
      facets: together,
    }),
  )

interface Tally extends Count {
  readonly rows: readonly Tallied[]
  /** Of prices, unless `rows` have each price. */
  readonly ends?: Pick<PriceTally, 'min' | 'max'>
}

/** While no listing changes; the clock alone ends some. */
const KEPT_MS = 15_000
const cache = new AnswerCache<Db, { tally: Tally; commit: number }>(KEPT_MS, 2000)

async function countsOf(db: Db, asked: Asked, now: Date): Promise<Counts> {
  const { buckets, fields } = wantedOf(asked.filter, now.getUTCFullYear())
  const { commit } = await momentOf(db)
  const groups = groupsOf(asked, [...FACETS, ...fields.map(ofSpec)])
  const known = groups.map(({ key }) => cache.get(db, key, now))
  const missing = groups.filter((_, at) => known[at]?.commit !== commit)
  const found = await talliesOf(db, missing, now)
  for (const [{ key }, tally] of found) cache.set(db, key, { tally, commit }, now)
  const tallies = new Map(
    groups.flatMap((group, at): [string, Tally][] => {
      const tally = found.get(group) ?? known[at]?.tally
      return tally === undefined ? [] : group.facets.map(({ name }) => [name, tally])
    }),
  )
  const rowsOfFacet = (name: string) => {
    const facet = FACETS.find((one) => one.name === name)?.kept ?? name
    return tallies.get(name)?.rows.filter((row) => row.facet === facet) ?? []
  }
  const byValue = (name: string) => new Map(rowsOfFacet(name).map(({ value, n }) => [value, n]))
  const prices = new PriceTally(buckets)
  for (const { value, n } of rowsOfFacet('price')) prices.add(Number(value), n)
  return {
    count: tallies.get('')?.count ?? 0,
    pairs: byValue('categories'),
    regions: byValue('regions'),
    towns: byValue('towns'),
    conditions: byValue('conditions'),
    prices: Object.assign(prices, tallies.get('price')?.ends),
    specs: new Map(
      fields.map(({ name }) => {
        const tally = new TextTally()
        const rows = rowsOfFacet(`spec.${name}`).toSorted((a, b) => b.n - a.n)
        for (const { value, n } of rows) tally.add(value, n)
        return [name, tally]
      }),
    ),
    bounds: new Set([...tallies].flatMap(([name, { exact }]) => (exact ? [] : [name]))),
  }
}

async function talliesOf(db: Db, groups: readonly Group[], now: Date) {
  const kept = await Promise.all(
    groups.map(({ asked, facets }) =>
      isKept(asked)
        ? keptCounts(db, asked.filter, ['', ...facets.map((one) => one.kept)], now)
        : Promise.resolve(null),
    ),
  )
  const rest = groups.filter((_, at) => kept[at] === null)
  const some = Map.groupBy(await countSome(db, rest, now), ({ nth }) => rest[nth])
  const tallies = groups.map(async (group, at): Promise<[Group, Tally]> => {
    const rows = kept[at] ?? some.get(group) ?? []
    const all = totalOf(rows)
    const count = kept[at] === null ? counted(all) : { count: all, exact: true }
    const hasEach = kept[at] === null && count.exact
    if (hasEach || !group.facets.includes(PRICE)) return [group, { ...count, rows }]
    const [min, max] = await Promise.all([
      priceEnd(db, group.asked, 'price', now),
      priceEnd(db, group.asked, '-price', now),
    ])
    return [group, { ...count, rows, ends: { min, max } }]
  })
  return new Map(await Promise.all(tallies))
}

/** In one statement: each costs as much as some hundred listings. */
async function countSome(db: Db, groups: readonly Group[], now: Date) {
  if (groups.length === 0) return []
  const parts = await Promise.all(groups.map((group, nth) => partOf(db, group, nth, now)))
  const query = sql<Tallied & { nth: number }>`${sql.join(parts, sql` union all `)}`
  return (await query.execute(db)).rows
}

/** Each facet is a column, and all are counted in one pass. */
async function partOf(db: Db, { asked, facets }: Group, nth: number, now: Date) {
  const values = new Map([TOTAL, ...facets].map(({ kept, value }) => [kept, value]))
  const columns = [...values].map(([kept, value], at) => ({ kept, value, name: sql.ref(`c${at}`) }))
  const read = sql.join(columns.map(({ value, name }) => sql`${value} as ${name}`))
  const some = await someOf(db, asked, read, EXACT_MAX + 1, now)
  const facet = sql.join(
    columns.map(({ kept, name }) => sql`when grouping(${name}) then ${kept}::text`),
    sql` `,
  )
  const value = sql`coalesce(${sql.join(columns.map(({ name }) => name))})`
  const sets = sql.join(columns.map(({ name }) => sql`(${name})`))
  return sql`(select ${sql.lit(nth)} as nth, case 0 ${facet} end as facet, ${value} as value,
      count(*)::integer as n
    from ${some} l group by grouping sets (${sets}) having ${value} is not null)`
}

async function priceEnd(db: Db, asked: Asked, ordering: 'price' | '-price', now: Date) {
  const order = sortOrderOf({ ...asked.filter, ordering })
  const page = { number: 1, offset: 0, size: 1 }
  const { rows } = await rowsOf(db, asked, { order, page, from: null }, now)
  return rows[0] === undefined ? null : priceAt(order, rows[0])
}
