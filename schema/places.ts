import file from './data/locations.json' with { type: 'json' }
import { nameKey } from './fold.ts'
import type { Place, Places } from './wire/catalogue.ts'
import type { Language, LocalizedText } from './wire/shapes.ts'

type Named = Readonly<{
  slug: string
  name: string
  aliases: readonly string[]
}>

export interface Point {
  readonly lat: number
  readonly lon: number
}

const regions = new Map(file.regions.map((region) => [region.slug, region]))
const towns = new Map(file.towns.map((town) => [town.slug, town]))
const neighbourhoods = new Map(file.neighbourhoods.map((one) => [one.slug, one]))
const former = new Map(
  file.former_regions.flatMap((one) =>
    [one.slug, one.name].map((name): [string, string[]] => [nameKey(name), one.now]),
  ),
)

export const regionSlugs: readonly string[] = file.regions.map(({ slug }) => slug)

export const regionName = (slug: string) => regions.get(slug)?.name ?? slug
export const townName = (slug: string) => towns.get(slug)?.name ?? slug
export const neighbourhoodName = (slug: string) => neighbourhoods.get(slug)?.name ?? slug

/** By slug, name, alias or former name. Several for a former region that was split [API 8.2]. */
export function resolveRegions(text: string) {
  const key = nameKey(text)
  const named = file.regions.filter((region) =>
    [region.slug, region.name].some((name) => nameKey(name) === key),
  )
  if (named.length > 0) return slugs(named)
  return (
    former.get(key) ??
    slugs(file.regions.filter(({ aliases }) => aliases.some((alias) => nameKey(alias) === key)))
  )
}

export function resolveTowns(text: string, region?: string) {
  return slugs(
    file.towns.filter(
      (town) => (region === undefined || town.region === region) && isNamed(town, text),
    ),
  )
}

export function resolveNeighbourhoods(text: string, town?: string) {
  return slugs(
    file.neighbourhoods.filter(
      (one) => (town === undefined || one.town === town) && isNamed(one, text),
    ),
  )
}

export const regionOfTown = (town: string) => towns.get(town)?.region ?? null

/** Neighbourhood, else town, else the region's chief town [API 8.2]; null: unknown region. */
export function pointOf(place: {
  region: string
  town: string | null
  neighbourhood: string | null
}) {
  const quarter = place.neighbourhood === null ? undefined : neighbourhoods.get(place.neighbourhood)
  if (
    quarter !== undefined &&
    'lat' in quarter &&
    quarter.lat !== undefined &&
    quarter.lon !== undefined
  )
    return { lat: quarter.lat, lon: quarter.lon }
  const town = towns.get(place.town ?? quarter?.town ?? regions.get(place.region)?.chief_town ?? '')
  return town === undefined ? null : { lat: town.lat, lon: town.lon }
}

const EARTH_KM = 6371

export function distanceKm(from: Point, to: Point) {
  const rad = Math.PI / 180
  const half = (degrees: number) => Math.sin((degrees * rad) / 2) ** 2
  const across =
    half(to.lat - from.lat) +
    Math.cos(from.lat * rad) * Math.cos(to.lat * rad) * half(to.lon - from.lon)
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(across)))
}

/** [API 8.8]: exact matches, then beginnings of names, then of words, each by weight. */
export function suggestPlaces(text: string, language: Language): Place[] {
  const key = nameKey(text)
  if (key === '') return []
  return everywhere
    .flatMap((spot) => {
      const rank = Math.min(...spot.names.map((name) => rankOf(name, key)))
      return rank < NO_MATCH ? [{ rank, spot }] : []
    })
    .toSorted((a, b) => a.rank - b.rank || b.spot.weight - a.spot.weight)
    .slice(0, 10)
    .map(({ spot }) => spot.place(language))
}

export function allPlaces(): Places {
  return {
    version: file.meta.version,
    popular: file.popular,
    regions: file.regions.map(({ slug, name, old_name, label, chief_town, aliases }) => ({
      id: slug,
      slug,
      name,
      former_name: old_name,
      label,
      chief_town,
      aliases,
    })),
    towns: file.towns.map(({ weight: _weight, ...town }) => town),
    neighbourhoods: file.neighbourhoods.map(({ slug, name, town, aliases, ...one }) => ({
      slug,
      name,
      town,
      lat: ('lat' in one ? one.lat : undefined) ?? null,
      lon: ('lon' in one ? one.lon : undefined) ?? null,
      aliases,
    })),
  }
}

const slugs = (list: readonly { slug: string }[]) => list.map(({ slug }) => slug)

function isNamed({ slug, name, aliases }: Named, text: string) {
  const key = nameKey(text)
  return key !== '' && [slug, name, ...aliases].some((one) => nameKey(one) === key)
}

const NO_MATCH = 3

function rankOf(name: string, key: string) {
  if (name === key) return 0
  if (name.startsWith(key)) return 1
  return ` ${name}`.includes(` ${key}`) ? 2 : NO_MATCH
}

interface PlaceEntry {
  readonly names: readonly string[]
  readonly weight: number
  place(language: Language): Place
}

const everywhere: readonly PlaceEntry[] = [
  ...file.regions.map((region) => {
    const formerly = file.former_regions.filter(({ now }) => now.includes(region.slug))
    const names = [region.old_name ?? '', ...formerly.map(({ name }) => name)]
    return entryOf('region', region, region.slug, null, region.label, names)
  }),
  ...file.towns.map((town) => {
    const label = `${town.name}, ${regionName(town.region)}`
    return entryOf('town', town, town.region, town.slug, { fr: label, en: label })
  }),
  ...file.neighbourhoods.map((one) => {
    const label = `${one.name}, ${townName(one.town)}`
    const region = regionOfTown(one.town) ?? ''
    return entryOf('neighbourhood', one, region, one.town, { fr: label, en: label })
  }),
]

function entryOf(
  type: Place['type'],
  { slug, name, aliases, weight }: Named & { readonly weight: number },
  region: string,
  town: string | null,
  label: LocalizedText,
  otherNames: readonly string[] = [],
): PlaceEntry {
  return {
    names: [name, ...aliases, ...otherNames].map(nameKey).filter((key) => key !== ''),
    weight,
    place: (language) => ({
      type,
      slug,
      name,
      region,
      region_name: regionName(region),
      town,
      town_name: town === null ? null : townName(town),
      label: label[language],
    }),
  }
}
