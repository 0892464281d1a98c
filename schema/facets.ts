import {
  type Bucket,
  categories,
  categoryOf,
  conditions,
  priceBuckets,
  specFields,
} from './catalogue.ts'
import type { Filter } from './filter.ts'
import type { Findable } from './findable.ts'
import { matchesCategory, type FilterPart } from './match.ts'
import { regionName, regionSlugs, townName } from './places.ts'
import type { SpecField } from './wire/catalogue.ts'
import type { Facets } from './wire/listing.ts'
import type { Language } from './wire/shapes.ts'

/** Of towns and specs [API 8.3]. */
const VALUES_MAX = 20

type CountByValue = ReadonlyMap<string, number>

export type Counts = Readonly<{
  count: number
  /** By `pairOf`. */
  pairs: CountByValue
  regions: CountByValue
  towns: CountByValue
  conditions: CountByValue
  prices: PriceTally
  specs: ReadonlyMap<string, TextTally>
  /** Names of facets (`''`: `count`) whose numbers are lower bounds [D106]. */
  bounds?: ReadonlySet<string>
}>

export function wantedOf(filter: Filter, year: number) {
  const only = filter.categories.length === 1 ? (filter.categories[0] ?? null) : null
  return {
    buckets: priceBuckets(only, (name) => oneValue(filter, name)),
    fields:
      only === null
        ? []
        : specFields(only, year).filter((field) => field.filterable && field.type !== 'integer'),
  }
}

/**
 * Over `listings`, which match visibility and search. Each facet ignores its own filter parts [API
 * 8.3].
 */
export function countFacets(
  listings: Iterable<Findable>,
  filter: Filter,
  parts: readonly FilterPart[],
  language: Language,
  year: number,
): Facets {
  const wanted = wantedOf(filter, year)
  const tallies = {
    pairs: new Tally<string>(),
    regions: new Tally<string>(),
    towns: new Tally<string>(),
    conditions: new Tally<string>(),
  }
  const specs = new Map(wanted.fields.map((field) => [field.name, new TextTally()]))
  const prices = new PriceTally(wanted.buckets)
  let count = 0
  for (const listing of listings) {
    const failed = failedFacet(listing, parts)
    if (failed === null) continue
    if (failed === '') count += 1
    const counts = (facet: string) => failed === '' || failed === facet
    if (counts('categories')) tallies.pairs.add(pairOf(listing))
    if (counts('regions')) tallies.regions.add(listing.region)
    if (counts('towns')) tallies.towns.add(listing.town)
    if (counts('conditions')) tallies.conditions.add(listing.condition)
    if (counts('price') && listing.price !== null) prices.add(listing.price)
    for (const [name, tally] of specs) if (counts(`spec.${name}`)) tally.add(listing.specs[name])
  }
  return facetsOf({ count, ...tallies, prices, specs }, filter, language, year)
}

export function facetsOf(counts: Counts, filter: Filter, language: Language, year: number): Facets {
  const { fields } = wantedOf(filter, year)
  const inexact = (facet: string) =>
    counts.bounds?.has(facet) === true ? { count_is_exact: false } : {}
  const as = <T extends object>(facet: string, rows: readonly T[]) =>
    rows.map((row) => ({ ...row, ...inexact(facet) }))
  const price = counts.prices.result(language)
  return {
    count: counts.count,
    ...inexact(''),
    categories: as(
      'categories',
      values(
        categoryCounts(counts.pairs),
        filter.categories,
        (slug) => categoryOf(slug)?.names[language] ?? slug,
      ),
    ),
    regions: as(
      'regions',
      values(inOrder(counts.regions, regionSlugs), filter.regions, regionName),
    ),
    towns: as(
      'towns',
      values(
        counts.towns,
        filter.towns.flatMap((spot) => ('slugs' in spot ? spot.slugs : [])),
        townName,
        VALUES_MAX,
      ),
    ),
    conditions: as(
      'conditions',
      values(
        inOrder(counts.conditions, [...conditions.keys()]),
        filter.conditions,
        (value) => conditions.get(value)?.[language] ?? value,
      ),
    ),
    price: { ...price, buckets: as('price', price.buckets) },
    specs: Object.fromEntries(
      fields.map((field) => [
        field.name,
        as(
          `spec.${field.name}`,
          specValues(field, counts.specs.get(field.name) ?? new TextTally(), filter, language),
        ),
      ]),
    ),
  }
}

/** '': all parts match; a name: only parts of this facet fail; null: counts for none. */
function failedFacet(listing: Findable, parts: readonly FilterPart[]) {
  let failed = ''
  for (const part of parts) {
    if (part.matches(listing)) continue
    if (part.facet === undefined || (failed !== '' && failed !== part.facet)) return null
    failed = part.facet
  }
  return failed
}

class Tally<T> extends Map<T, number> {
  add(value: T | null | undefined, n = 1) {
    if (value !== null && value !== undefined) this.set(value, (this.get(value) ?? 0) + n)
  }
}

/**
 * Values that differ only in case are one, spelled as first seen. `add` runs per listing, so case
 * is folded only in `named`.
 */
export class TextTally extends Tally<string | number | boolean> {
  named() {
    const named = new Map<string, { shown: string; count: number }>()
    for (const [value, count] of this) {
      const shown = String(value)
      const known = named.get(shown.toLowerCase()) ?? { shown, count: 0 }
      named.set(shown.toLowerCase(), { ...known, count: known.count + count })
    }
    return named
  }
}

export class PriceTally {
  min: number | null = null
  max: number | null = null
  private readonly counts: number[]
  private readonly buckets: readonly Bucket[]

  /** `buckets` must ascend without gaps; the last one is open. */
  constructor(buckets: readonly Bucket[]) {
    this.buckets = buckets
    this.counts = buckets.map(() => 0)
  }

  add(price: number, n = 1) {
    if (this.min === null || price < this.min) this.min = price
    if (this.max === null || price > this.max) this.max = price
    let at = this.buckets.length - 1
    while (at > 0 && price < (this.buckets[at]?.min ?? 0)) at -= 1
    this.counts[at] = (this.counts[at] ?? 0) + n
  }

  result(language: Language): Facets['price'] {
    const buckets = this.buckets.map(({ id, min, max, label }, at) => ({
      id,
      min,
      max,
      label: label[language],
      count: this.counts[at] ?? 0,
    }))
    return { min: this.min, max: this.max, buckets }
  }
}

/** Listings of one pair match the same category filters. */
const pairOf = (listing: Pick<Findable, 'category' | 'specs'>) =>
  `${listing.category}\n${listing.specs.type ?? ''}`

function categoryCounts(pairs: CountByValue): CountByValue {
  const seen = [...pairs].map(([pair, count]) => {
    const [category = '', type = ''] = pair.split('\n')
    return { listing: { category, specs: type === '' ? {} : { type } }, count }
  })
  const sum = (slug: string) =>
    seen.reduce(
      (total, { listing, count }) => total + (matchesCategory(listing, slug) ? count : 0),
      0,
    )
  return new Map(categories.map(({ slug }) => [slug, sum(slug)]))
}

/** By count, equal counts in the order of `counts`. No zero counts, except chosen values. */
function values(
  counts: CountByValue,
  chosen: readonly string[],
  label: (value: string) => string,
  most = Infinity,
): Facets['regions'] {
  const rows = [...new Set([...counts.keys(), ...chosen])]
    .map((value) => ({ value, label: label(value), count: counts.get(value) ?? 0 }))
    .filter(({ value, count }) => count > 0 || chosen.includes(value))
    .toSorted((a, b) => b.count - a.count)
  const kept = rows
    .toSorted((a, b) => Number(chosen.includes(b.value)) - Number(chosen.includes(a.value)))
    .slice(0, most)
  return rows.filter((row) => kept.includes(row))
}

function inOrder(counts: CountByValue, order: readonly string[]) {
  return new Map([
    ...order.map((value): [string, number] => [value, counts.get(value) ?? 0]),
    ...counts,
  ])
}

const YES_NO = { true: { fr: 'Oui', en: 'Yes' }, false: { fr: 'Non', en: 'No' } }

function specValues(
  field: SpecField,
  tally: TextTally,
  filter: Filter,
  language: Language,
): Facets['regions'] {
  const all = tally.named()
  const shown = (key: string) => all.get(key)?.shown ?? key
  const named = [...all].filter(
    ([key]) => field.options === null || field.options.some(({ value }) => value === key),
  )
  const counts = new Map(named.map(([, one]) => [one.shown, one.count]))
  const option = (value: string) =>
    field.options?.find((one) => one.value === value)?.label[language]
  const label = (value: string) =>
    option(value) ??
    (field.type === 'boolean' && (value === 'true' || value === 'false')
      ? YES_NO[value][language]
      : value)
  return values(
    inOrder(
      counts,
      (field.options ?? []).map(({ value }) => value),
    ),
    chosenOf(filter, field.name).map(shown),
    label,
    VALUES_MAX,
  )
}

function chosenOf(filter: Filter, name: string) {
  return filter.specs.flatMap((spec) => {
    if (spec.name !== name || spec.kind === 'range') return []
    return spec.kind === 'enum' ? spec.values : [String(spec.value)]
  })
}

function oneValue(filter: Filter, name: string) {
  const chosen = chosenOf(filter, name)
  return chosen.length === 1 ? (chosen[0] ?? null) : null
}
