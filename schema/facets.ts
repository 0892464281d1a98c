import { categories, categoryOf, conditions, priceBuckets, specFields } from './catalogue.ts'
import type { Filter } from './filter.ts'
import type { Findable } from './findable.ts'
import { onShelf, type Part } from './match.ts'
import { regionName, regionSlugs, townName } from './places.ts'
import type { SpecField } from './wire/catalogue.ts'
import type { Facets } from './wire/listing.ts'
import type { Language } from './wire/shapes.ts'

/** Values shown per facet of towns and of specs (API.md 8.3). */
const VALUES_MAX = 20

/**
 * Counts of API.md 8.3 over `listings`, which match everything that is no part of the filter (visibility, search).
 * Each facet is counted with all other parts but without its own, in one pass: a listing that fails no part counts for
 * every facet, one that fails the parts of a single facet counts for that facet alone.
 */
export function countFacets(listings: Iterable<Findable>, filter: Filter, parts: readonly Part[], language: Language, year: number): Facets {
  const only = filter.categories.length === 1 ? (filter.categories[0] ?? null) : null
  const fields = only === null ? [] : specFields(only, year).filter((field) => field.filterable && field.type !== 'integer')
  const tallies = { categories: new Tally(), regions: new Tally(), towns: new Tally(), conditions: new Tally() }
  const specs = new Map(fields.map((field) => [`spec.${field.name}`, { field, tally: new Tally() }]))
  const price = new PriceTally(priceBuckets(only, (name) => oneValue(filter, name)))
  let count = 0
  for (const listing of listings) {
    const failed = failedFacet(listing, parts)
    if (failed === null) continue
    if (failed === '') count += 1
    const counts = (facet: string) => failed === '' || failed === facet
    // a listing's shelves repeat with its category and type, so they are counted by that pair and unfolded at the end
    if (counts('categories')) tallies.categories.add(pairOf(listing))
    if (counts('regions')) tallies.regions.add(listing.region)
    if (counts('towns') && listing.town !== null) tallies.towns.add(listing.town)
    if (counts('conditions') && listing.condition !== null) tallies.conditions.add(listing.condition)
    if (counts('price') && listing.price !== null) price.add(listing.price)
    for (const [facet, { field, tally }] of specs) if (counts(facet)) tally.addText(listing.specs[field.name])
  }
  return {
    count,
    categories: values(shelfCounts(tallies.categories), filter.categories, (slug) => categoryOf(slug)?.names[language] ?? slug),
    regions: values(inOrder(tallies.regions.counts, regionSlugs), filter.regions, regionName),
    towns: values(tallies.towns.counts, filter.towns.flatMap((spot) => ('slugs' in spot ? spot.slugs : [])), townName, VALUES_MAX),
    conditions: values(inOrder(tallies.conditions.counts, [...conditions.keys()]), filter.conditions, (value) => conditions.get(value)?.[language] ?? value),
    price: price.result(language),
    specs: Object.fromEntries([...specs.values()].map(({ field, tally }) => [field.name, specValues(field, tally, filter, language)])),
  }
}

/** '' when every part holds, the facet's name when only its own parts fail, null when the listing counts for nothing. */
function failedFacet(listing: Findable, parts: readonly Part[]): string | null {
  let failed = ''
  for (const part of parts) {
    if (part.holds(listing)) continue
    if (part.facet === null || (failed !== '' && failed !== part.facet)) return null
    failed = part.facet
  }
  return failed
}

/** How often each value was seen; texts that differ in case only are one value, shown as first seen. */
class Tally {
  readonly counts = new Map<string, number>()
  readonly shown = new Map<string, string>()

  add(value: string): void {
    this.counts.set(value, (this.counts.get(value) ?? 0) + 1)
  }

  addText(value: string | number | boolean | undefined): void {
    if (value === undefined) return
    const text = String(value)
    const key = text.toLowerCase()
    if (!this.shown.has(key)) this.shown.set(key, text)
    this.add(key)
  }
}

class PriceTally {
  private min: number | null = null
  private max: number | null = null
  private readonly counts: number[]
  private readonly buckets: ReturnType<typeof priceBuckets>

  constructor(buckets: ReturnType<typeof priceBuckets>) {
    this.buckets = buckets
    this.counts = buckets.map(() => 0)
  }

  add(price: number): void {
    this.min = Math.min(this.min ?? price, price)
    this.max = Math.max(this.max ?? price, price)
    for (const [at, { min, max }] of this.buckets.entries()) if (price >= min && (max === null || price <= max)) this.counts[at] = (this.counts[at] ?? 0) + 1
  }

  result(language: Language): Facets['price'] {
    const buckets = this.buckets.map(({ id, min, max, label }, at) => ({ id, min, max, label: label[language], count: this.counts[at] ?? 0 }))
    return { min: this.min, max: this.max, buckets }
  }
}

const pairOf = (listing: Findable) => `${listing.category}\n${listing.specs.type ?? ''}`

function shelfCounts(pairs: Tally): Map<string, number> {
  const seen = [...pairs.counts].map(([pair, count]) => {
    const [category = '', type = ''] = pair.split('\n')
    return { listing: { category, specs: type === '' ? {} : { type } }, count }
  })
  const sum = (slug: string) => seen.reduce((total, { listing, count }) => total + (onShelf(listing, slug) ? count : 0), 0)
  return new Map(categories.map(({ slug }) => [slug, sum(slug)]))
}

/** The most frequent first, equal ones in the order of `counts`; without zeros, but with what is chosen; at most `most`. */
function values(counts: ReadonlyMap<string, number>, chosen: readonly string[], label: (value: string) => string, most = Number.POSITIVE_INFINITY): Facets['regions'] {
  const rows = [...new Set([...counts.keys(), ...chosen])]
    .map((value) => ({ value, label: label(value), count: counts.get(value) ?? 0 }))
    .filter(({ value, count }) => count > 0 || chosen.includes(value))
    .toSorted((a, b) => b.count - a.count)
  const kept = rows.toSorted((a, b) => Number(chosen.includes(b.value)) - Number(chosen.includes(a.value))).slice(0, most)
  return rows.filter((row) => kept.includes(row))
}

/** Equal counts in the order of the catalogue; what it does not know comes last. */
function inOrder(counts: ReadonlyMap<string, number>, order: readonly string[]): Map<string, number> {
  return new Map([...order.map((value): [string, number] => [value, counts.get(value) ?? 0]), ...counts])
}

const YES_NO = { true: { fr: 'Oui', en: 'Yes' }, false: { fr: 'Non', en: 'No' } }

function specValues(field: SpecField, tally: Tally, filter: Filter, language: Language): Facets['regions'] {
  const shown = (key: string) => tally.shown.get(key) ?? key
  const counts = new Map([...tally.counts].map(([key, count]) => [shown(key), count]))
  const option = (value: string) => field.options?.find((one) => one.value === value)?.label[language]
  const label = (value: string) => option(value) ?? (field.type === 'boolean' && (value === 'true' || value === 'false') ? YES_NO[value][language] : value)
  return values(inOrder(counts, (field.options ?? []).map(({ value }) => value)), chosenOf(filter, field.name).map(shown), label, VALUES_MAX)
}

function chosenOf(filter: Filter, name: string): readonly string[] {
  return filter.specs.flatMap((spec) => {
    if (spec.name !== name || spec.kind === 'range') return []
    return spec.kind === 'enum' ? spec.values : [String(spec.value)]
  })
}

function oneValue(filter: Filter, name: string): string | null {
  const chosen = chosenOf(filter, name)
  return chosen.length === 1 ? (chosen[0] ?? null) : null
}
