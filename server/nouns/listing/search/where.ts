import { sql, type RawBuilder } from 'kysely'
import { categoryOf, type CategoryFilter } from '#schema/catalogue'
import type { Filter, SpecFilter, LocationFilter } from '#schema/filter'
import { allPlaces, distanceKm, type Point } from '#schema/places'
import { noteLabel, searchQuery, specLabel, type SearchedText } from '../derive.ts'

type Condition = RawBuilder<unknown>

export type Wanted = Readonly<{
  filter: Filter
  sellerId: string | null
  /** Categories, one of which must be the listing's own; only if the filter has none. */
  among?: readonly string[]
  /** Categories, none of which may be the listing's own; only with search words. */
  elsewhere?: readonly string[]
}>

/** The expression `l.listed` makes the partial indexes usable. */
export const visible = (now: Date) =>
  sql`l.listed and (l.expires_at is null or l.expires_at > ${now})`

export const countVisible = (seller: string, now: Date) =>
  sql`(select count(*)::integer from listing l where l.seller_id = ${sql.ref(seller)} and ${visible(now)})`

/** The conditions of [API 8.2]; without search words, `branchesOf` has category and region. */
export function conditionsOf(
  { filter, sellerId, elsewhere = [] }: Wanted,
  now: Date,
  text: SearchedText = 'anywhere',
): Condition[] {
  const { near, priceMin, priceMax, postedWithin } = filter
  const conditions: (Condition | false)[] = [
    filter.searchWords.length > 0 &&
      sql`l.search @@ ${searchQuery(filter.searchWords, {
        text,
        within: [filter.categories, filter.regions],
        elsewhere: elsewhere.length === 0 ? null : lexemesElsewhere(elsewhere),
      })}::tsquery`,
    elsewhere.length > 0 && sql`l.category <> all(${elsewhere}::text[])`,
    filter.towns.length > 0 && inSpots(sql`l.town`, filter.towns),
    filter.neighbourhoods.length > 0 && inSpots(sql`l.neighbourhood`, filter.neighbourhoods),
    near !== null && sql`${kmFrom(near)} <= ${near.km}`,
    priceMin !== null && sql`l.price >= ${priceMin}`,
    priceMax !== null && sql`l.price <= ${priceMax}`,
    filter.conditions.length > 0 && sql`l.condition = any(${filter.conditions}::text[])`,
    filter.negotiable !== null && sql`l.negotiable = ${filter.negotiable}`,
    filter.hasImages && sql`l.images_count > 0`,
    filter.featured && sql`l.is_featured`,
    filter.verified && sql`l.seller_verified`,
    postedWithin !== null && sql`l.posted_at >= ${new Date(now.getTime() - postedWithin * DAY_MS)}`,
    filter.exclude.length > 0 && sql`l.id <> all(${filter.exclude}::text[])`,
    sellerId !== null && sql`l.seller_id = ${sellerId}`,
    ...filter.specs.map(hasSpec),
  ]
  return conditions.filter((condition) => condition !== false)
}

const DAY_MS = 86_400_000

/** For queries that do not read in index order. */
export function everyCondition(wanted: Wanted, now: Date) {
  return sql.join([...conditionsOf(wanted, now), everyBranch(wanted)], sql` and `)
}

const BRANCHES_MAX = 24
const TRUE = sql`true`

/**
 * Disjoint conditions on category and region, each served by an index. The index of words has both
 * too.
 */
export function branchesOf(wanted: Wanted): Condition[] {
  const { regions, searchWords } = wanted.filter
  if (searchWords.length > 0) return [TRUE]
  const inRegions = regions.map((region) => sql`l.region = ${region}`)
  const branches = orTrue(partsOf(wanted).map(inCategory)).flatMap((category) =>
    orTrue(inRegions).map((region) => sql`${category} and ${region}`),
  )
  return branches.length > BRANCHES_MAX ? [everyBranch(wanted)] : branches
}

const orTrue = (conditions: Condition[]) => (conditions.length === 0 ? [TRUE] : conditions)

const partsOf = ({ filter, among }: Wanted) =>
  among?.map((category) => ({ category, type: null })) ?? categoryFiltersOf(filter.categories)

/**
 * A lexeme `#cars` also marks listings of categories that cars includes: their own lexemes are
 * exceptions.
 */
function lexemesElsewhere(own: readonly string[]) {
  const all = categoryFiltersOf(own).map(({ category }) => category)
  return { none: own, unless: all.filter((category) => !own.includes(category)) }
}

export function everyBranch(wanted: Wanted) {
  const { filter } = wanted
  if (filter.searchWords.length > 0) return TRUE
  const categories = orTrue(partsOf(wanted).map(inCategory))
  const inCategories = sql`(${sql.join(categories, sql` or `)})`
  return filter.regions.length === 0
    ? inCategories
    : sql`${inCategories} and l.region = any(${filter.regions}::text[])`
}

/** The catalogue's filters of some categories; no types of a category that is included whole. */
export function categoryFiltersOf(slugs: readonly string[]): CategoryFilter[] {
  const all = slugs.flatMap((slug) => categoryOf(slug)?.categoryFilters ?? [])
  const whole = new Set(all.filter(({ type }) => type === null).map(({ category }) => category))
  const parts = new Map(
    all
      .filter(({ category, type }) => type !== null && !whole.has(category))
      .map((one) => [`${one.category} ${one.type}`, one]),
  )
  return [...[...whole].map((category) => ({ category, type: null })), ...parts.values()]
}

const inCategory = ({ category, type }: CategoryFilter) =>
  type === null
    ? sql`l.category = ${category}`
    : sql`l.category = ${category} and ${hasLabel(specLabel('type', type))}`

/** Written with the operator that the index of labels serves. */
const hasLabel = (label: string) => sql`l.labels @> ${[label]}::text[]`

function inSpots(column: Condition, spots: readonly LocationFilter[]) {
  const slugs = spots.flatMap((spot) => ('slugs' in spot ? spot.slugs : []))
  const notes = spots.flatMap((spot) => ('note' in spot ? [noteLabel(spot.note)] : []))
  const bySlug =
    slugs.length === 1 ? sql`${column} = ${slugs[0]}` : sql`${column} = any(${slugs}::text[])`
  const byNote = sql`l.labels && ${notes}::text[]`
  if (notes.length === 0) return bySlug
  return slugs.length === 0 ? byNote : sql`(${bySlug} or ${byNote})`
}

/** Whether the index of labels serves the filter. */
export const isLabel = ({ kind }: SpecFilter) => kind !== 'range'

export function hasSpec(spec: SpecFilter): Condition {
  switch (spec.kind) {
    case 'enum':
      return sql`l.labels && ${spec.values.map((value) => specLabel(spec.name, value))}::text[]`
    case 'text':
    case 'boolean':
      return hasLabel(specLabel(spec.name, String(spec.value)))
    case 'range':
      // A text from an older schema must not fail the query.
      return sql`(case when jsonb_typeof(l.specs -> ${spec.name}::text) = 'number'
        then (l.specs ->> ${spec.name}::text)::numeric end)
        between ${spec.min ?? -1e15} and ${spec.max ?? 1e15}`
  }
}

export type Near = NonNullable<Filter['near']>

/** Points of all places in the radius, or just outside. A listing has the point of its place. */
export function placesAround({ km, ...from }: Near): readonly Point[] {
  const { towns, neighbourhoods } = allPlaces()
  const points = [...towns, ...neighbourhoods].flatMap(({ lat, lon }) =>
    lat === null || lon === null ? [] : [{ lat, lon }],
  )
  const distinct = new Map(points.map((point) => [`${point.lat} ${point.lon}`, point]))
  return [...distinct.values()].filter((point) => distanceKm(from, point) < km + 1)
}

/** The distance of a listing, by the formula of `distanceKm`. */
export function kmFrom(point: { lat: number; lon: number }) {
  return sql`(2 * 6371 * asin(least(1, sqrt(power(sin(radians(l.latitude - ${point.lat}::float8) / 2), 2)
    + cos(radians(${point.lat}::float8)) * cos(radians(l.latitude))
      * power(sin(radians(l.longitude - ${point.lon}::float8) / 2), 2)))))`
}
