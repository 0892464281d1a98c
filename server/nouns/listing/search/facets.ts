import { sql } from 'kysely'
import { type Counts, countFacets, facetsOf, PriceTally, TextTally, wantedOf } from '#schema/facets'
import type { Filter } from '#schema/filter'
import { pick } from '#schema/pick'
import type { Facets } from '#schema/wire/listing'
import { countOf } from '../../../db/sql.ts'
import type { Db } from '../../../db/tables.ts'
import type { View } from '../card.ts'
import { type Count, counted, EXACT_MAX, rowsOf, someOf } from './find.ts'
import { isKept, keptCounts, type Tallied } from './kept.ts'
import type { Asked } from './queries.ts'
import { priceAt, sortOrderOf } from './sort.ts'

/** [API 1.3, D106] */
export async function countMatches(db: Db, asked: Asked, now: Date): Promise<Count> {
  const kept = isKept(asked) ? await keptCounts(db, asked.filter, [''], now) : null
  if (kept !== null) return { count: totalOf(kept), exact: true }
  const some = await someOf(db, asked, sql`1`, EXACT_MAX + 1, now)
  return counted(await countOf(db, sql`${some} l`))
}

/** By a facet's API name: its name in `listing_counts`, and its part of a filter, emptied. */
const FACETS: Readonly<Record<string, { readonly facet: string; readonly own: Partial<Filter> }>> =
  {
    categories: { facet: '', own: { categories: [] } },
    regions: { facet: 'region', own: { regions: [] } },
    towns: { facet: 'town', own: { towns: [] } },
    conditions: { facet: 'condition', own: { conditions: [] } },
    price: { facet: 'price', own: { priceMin: null, priceMax: null } },
  }

function without(filter: Filter, name: string): Filter {
  const specs = filter.specs.filter((spec) => `spec.${spec.name}` !== name)
  return { ...filter, specs, ...FACETS[name]?.own }
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

async function countsOf(db: Db, asked: Asked, now: Date): Promise<Counts> {
  const { filter } = asked
  const { buckets, fields } = wantedOf(filter, now.getUTCFullYear())
  const names = ['', ...Object.keys(FACETS), ...fields.map(({ name }) => `spec.${name}`)]
  // Most facets have no part in the filter. Those with the same rest of it are counted together.
  const sets = await Promise.all(
    [...Map.groupBy(names, (name) => JSON.stringify(without(filter, name))).values()].map(
      (together) =>
        countSet(db, { ...asked, filter: without(filter, together[0] ?? '') }, together, now),
    ),
  )
  const setOf = (name: string) => sets.find((set) => set.names.includes(name))
  const rowsOfFacet = (name: string) => {
    const facet = FACETS[name]?.facet ?? name
    return setOf(name)?.rows.filter((row) => row.facet === facet) ?? []
  }
  const byValue = (name: string) => new Map(rowsOfFacet(name).map(({ value, n }) => [value, n]))
  const prices = new PriceTally(buckets)
  for (const { value, n } of rowsOfFacet('price')) prices.add(Number(value), n)
  Object.assign(prices, pick(setOf('price') ?? { min: null, max: null }, ['min', 'max']))
  return {
    count: setOf('')?.count ?? 0,
    pairs: byValue('categories'),
    regions: byValue('regions'),
    towns: byValue('towns'),
    conditions: byValue('conditions'),
    prices,
    specs: new Map(
      fields.map(({ name }) => {
        const tally = new TextTally()
        const rows = rowsOfFacet(`spec.${name}`).toSorted((a, b) => b.n - a.n)
        for (const { value, n } of rows) tally.add(value, n)
        return [name, tally]
      }),
    ),
    bounds: new Set(sets.flatMap((set) => (set.exact ? [] : set.names))),
  }
}

type CountedSet = Count &
  Readonly<{
    names: readonly string[]
    rows: readonly Tallied[]
    min: number | null
    max: number | null
  }>

async function countSet(
  db: Db,
  asked: Asked,
  names: readonly string[],
  now: Date,
): Promise<CountedSet> {
  const facets = ['', ...names.map((name) => FACETS[name]?.facet ?? name)]
  const kept = isKept(asked) ? await keptCounts(db, asked.filter, facets, now) : null
  const rows = kept ?? (await countSome(db, asked, facets, now))
  const total = kept === null ? counted(totalOf(rows)) : { count: totalOf(kept), exact: true }
  if (!names.includes('price')) return { names, rows, ...total, min: null, max: null }
  const [min, max] = await Promise.all([
    priceEnd(db, asked, 'price', now),
    priceEnd(db, asked, '-price', now),
  ])
  return { names, rows, ...total, min, max }
}

const totalOf = (rows: readonly Tallied[]) =>
  rows.reduce((sum, { facet, n }) => (facet === '' ? sum + n : sum), 0)

const COLUMNS = sql`l.category, l.specs, l.region, l.town, l.condition, l.price`

async function countSome(db: Db, asked: Asked, facets: readonly string[], now: Date) {
  const some = await someOf(db, asked, COLUMNS, EXACT_MAX + 1, now)
  const values = [...new Set(facets)].map((facet) => sql`(${facet}::text, ${valueOf(facet)})`)
  const { rows } = await sql<Tallied>`
    select c.facet, c.value, count(*)::integer as n
    from ${some} l cross join lateral (values ${sql.join(values)}) c(facet, value)
    where c.value is not null group by 1, 2`.execute(db)
  return rows
}

/** As in `listing_counts`, without reading specs of other facets. */
function valueOf(facet: string) {
  switch (facet) {
    case '':
      return sql`listing_pair(l.category, l.specs)`
    case 'price':
      return sql`price_start(l.price)`
    case 'region':
    case 'town':
    case 'condition':
      return sql.ref(`l.${facet}`)
    default: {
      const name = facet.replace('spec.', '')
      return sql`case when jsonb_typeof(l.specs -> ${name}::text) <> 'number'
        then l.specs ->> ${name}::text end`
    }
  }
}

async function priceEnd(db: Db, asked: Asked, ordering: 'price' | '-price', now: Date) {
  const order = sortOrderOf({ ...asked.filter, ordering })
  const page = { number: 1, offset: 0, size: 1 }
  const { rows } = await rowsOf(db, asked, { order, page, from: null }, now)
  return rows[0] === undefined ? null : priceAt(order, rows[0])
}
