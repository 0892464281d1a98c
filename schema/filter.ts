import { resolveCategory, conditions, specFields } from './catalogue.ts'
import { flag } from './members.ts'
import { wordsOf } from './fold.ts'
import { SEARCH_MAX, SUGGEST_MIN } from './limits.ts'
import { resolveNeighbourhoods, resolveRegions, resolveTowns, type Point } from './places.ts'
import { optionIn } from './spec.ts'
import type { SpecField } from './wire/catalogue.ts'

const orderings = [
  '-posted_at',
  'posted_at',
  'price',
  '-price',
  '-views_total',
  'relevance',
  '-featured',
  'distance',
] as const
export type Ordering = (typeof orderings)[number]

/** Slugs, or an unknown text to compare with the listing's location note. */
export type LocationFilter = { readonly slugs: readonly string[] } | { readonly note: string }

export type SpecFilter = Readonly<
  { name: string } & (
    | { kind: 'enum'; values: readonly string[] }
    | { kind: 'text'; value: string }
    | { kind: 'boolean'; value: boolean }
    | { kind: 'range'; min: number | null; max: number | null }
  )
>

/** [API 8.2]. Empty lists, null and false filter nothing. */
export type Filter = Readonly<{
  searchWords: readonly string[]
  /** Below two characters suggestions stay empty, and lists ignore the text [S5.07]. */
  searchTooShort: boolean
  categories: readonly string[]
  regions: readonly string[]
  towns: readonly LocationFilter[]
  neighbourhoods: readonly LocationFilter[]
  near: (Point & { readonly km: number }) | null
  priceMin: number | null
  priceMax: number | null
  conditions: readonly string[]
  negotiable: boolean | null
  hasImages: boolean
  featured: boolean
  verified: boolean
  /** Days. */
  postedWithin: number | null
  specs: readonly SpecFilter[]
  /** Id or slug as given, or `me`. */
  seller: string | null
  exclude: readonly string[]
  ordering: Ordering
}>

interface FilterProblem {
  readonly field: string
  readonly code: 'invalid' | 'invalid_choice'
}

export type Query = Readonly<Record<string, string | undefined>>

/** Invalid parameters are left out and listed in `problems`. */
export function readFilter(
  query: Query,
  year: number,
): { filter: Filter; problems: FilterProblem[] } {
  const problems: FilterProblem[] = []
  const read = reader(query, (field, code) => problems.push({ field, code }))
  const search = (query.search ?? query.q ?? '').trim()
  const points = Array.from(search)
  const long = points.length >= SUGGEST_MIN
  const searchWords = long ? wordsOf(points.slice(0, SEARCH_MAX).join('')) : []
  const categories = read.choices('category', resolveOne, 5)
  const radius = read.one('radius_km', radiusIn)
  const near = read.one('near', pointIn)
  const [priceMin, priceMax] = read.limits('price_min', 'price_max')
  const filter = {
    searchWords,
    searchTooShort: search !== '' && !long,
    categories,
    regions: read.choices('region', resolveRegions),
    towns: read.spots('town', resolveTowns),
    neighbourhoods: read.spots('neighbourhood', resolveNeighbourhoods),
    near: near && { ...near, km: radius ?? 25 },
    priceMin,
    priceMax,
    conditions: read.choices('condition', (value) =>
      conditions.has(value.toLowerCase()) ? [value.toLowerCase()] : [],
    ),
    negotiable: read.yesNo('negotiable'),
    hasImages: read.yesNo('has_images') ?? false,
    featured: read.yesNo('is_featured') ?? false,
    verified: read.yesNo('verified_seller') ?? false,
    postedWithin: read.one('posted_within', daysIn),
    specs:
      categories.length === 1 && categories[0] !== undefined
        ? specFields(categories[0], year).flatMap((field) => read.spec(field))
        : [],
    seller: read.text('seller'),
    exclude: read.list('exclude', 50),
  }
  return { filter: { ...filter, ordering: orderingOf(query, filter, problems) }, problems }
}

const DAYS = new Map([
  ['24h', 1],
  ['7d', 7],
  ['30d', 30],
])
const RADIUS_KM = [5, 10, 25, 50, 100]
/** Avoids integer overflow in the database. */
const PRICE_CEILING = 2_147_483_647

function resolveOne(text: string) {
  const slug = resolveCategory(text)
  return slug === null ? [] : [slug]
}

function orderingOf(
  query: Query,
  filter: Pick<Filter, 'searchWords' | 'near'>,
  problems: FilterProblem[],
) {
  const text = query.ordering ?? query.sort ?? ''
  const usual = filter.searchWords.length > 0 ? 'relevance' : '-posted_at'
  if (text === '') return usual
  const found = orderings.find((ordering) => ordering === text)
  if (found === undefined || (found === 'distance' && filter.near === null)) {
    problems.push({
      field: query.ordering === undefined ? 'sort' : 'ordering',
      code: 'invalid_choice',
    })
    return usual
  }
  return found === 'relevance' ? usual : found
}

type Refuse = (field: string, code: FilterProblem['code']) => void

/** Each reports an invalid value and then treats it as absent. */
function reader(query: Query, refuse: Refuse) {
  const text = (name: string) => (query[name] ?? '').trim() || null
  const list = (name: string, most = Infinity) => {
    const values = [...new Set(listIn(query[name] ?? ''))]
    if (values.length <= most) return values
    refuse(name, 'invalid')
    return []
  }
  const one = <T>(name: string, read: (value: string) => T | null): T | null => {
    const value = text(name)
    const found = value === null ? null : read(value)
    if (value !== null && found === null) refuse(name, 'invalid')
    return found
  }
  const price = (name: string) => one(name, (value) => whole(value, 0, Number.MAX_SAFE_INTEGER))

  return {
    text,
    list,
    one,

    yesNo: (name: string) => one(name, (value) => flag(value.toLowerCase())),

    choices(name: string, resolve: (value: string) => readonly string[], most?: number) {
      const chosen = list(name, most).flatMap((value) => {
        const slugs = resolve(value)
        if (slugs.length === 0) refuse(name, 'invalid_choice')
        return slugs
      })
      return [...new Set(chosen)]
    },

    spots(name: string, resolve: (value: string) => readonly string[]) {
      return list(name).map((value) => {
        const slugs = resolve(value)
        return slugs.length > 0 ? { slugs } : { note: value }
      })
    },

    limits(lowName: string, highName: string): [number | null, number | null] {
      const [low, high] = [price(lowName), price(highName)]
      const capped = (value: number | null) =>
        value === null ? null : Math.min(value, PRICE_CEILING)
      if (low === null || high === null || low <= high) return [capped(low), capped(high)]
      refuse(highName, 'invalid')
      return [null, null]
    },

    spec(field: SpecField) {
      const name = `spec.${field.name}`
      const value = text(name)
      if (value === null || !field.filterable) return []
      const read = specFilter(field, value)
      if (typeof read !== 'string') return [read]
      refuse(name, read)
      return []
    },
  }
}

const daysIn = (text: string) => DAYS.get(text) ?? whole(text, 1, 365)

const radiusIn = (text: string) =>
  RADIUS_KM.find((known) => /^\d+$/.test(text) && known === Number(text)) ?? null

function pointIn(text: string) {
  const found = /^(-?\d{1,3}(?:\.\d{1,10})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,10})?)$/.exec(text)
  const [lat, lon] = [Number(found?.[1] ?? NaN), Number(found?.[2] ?? NaN)]
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : null
}

function whole(text: string, low: number, high: number) {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : NaN
  return number >= low && number <= high ? number : null
}

function listIn(text: string) {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

function specFilter(field: SpecField, text: string): SpecFilter | FilterProblem['code'] {
  const { name } = field
  switch (field.type) {
    case 'text':
      return { name, kind: 'text', value: text.toLowerCase() }
    case 'boolean': {
      const value = flag(text.toLowerCase())
      return value === null ? 'invalid' : { name, kind: 'boolean', value }
    }
    case 'enum': {
      const values = listIn(text)
      const known = values.flatMap((value) => optionIn(field, value) ?? [])
      return known.length < values.length
        ? 'invalid_choice'
        : { name, kind: 'enum', values: [...new Set(known)] }
    }
    case 'integer':
      return range(name, text) ?? 'invalid'
  }
}

/** `min..max`, where one side may be empty; a single number is exact. */
function range(name: string, text: string): SpecFilter | null {
  const found = /^(-?\d{1,12})?(?:(\.\.)(-?\d{1,12})?)?$/.exec(text)
  const side = (value: string | undefined) => (value === undefined ? null : Number(value))
  const min = side(found?.[1])
  const max = found?.[2] === undefined ? min : side(found[3])
  if (
    found === null ||
    (min === null && max === null) ||
    (min !== null && max !== null && min > max)
  )
    return null
  return { name, kind: 'range', min, max }
}
