import { fold, nameKey } from '#schema/fold'
import type { Places } from '#schema/wire/catalogue'

export type PlaceSlugs = Readonly<Record<'region' | 'town' | 'neighbourhood', string>>

export interface FoundPlace extends PlaceSlugs {
  readonly name: string
  /** Town of a neighbourhood, region of a town, or empty. */
  readonly within: string
}

interface Candidate extends FoundPlace {
  readonly keys: readonly string[]
  readonly withinKeys: readonly string[]
  readonly lat: number | null
  readonly lon: number | null
}

const SHOWN = 6

/**
 * By the beginning of names and aliases; with no text the likely ones. Among equals: used last,
 * then nearest to that, then popular. The device's position is not asked for.
 */
export function findPlaces(
  all: readonly Candidate[],
  { popular }: Pick<Places, 'popular'>,
  text: string,
  last: readonly PlaceSlugs[],
): readonly FoundPlace[] {
  const typed = nameKey(text)
  const away = distanceFrom(all, last[0])
  const ranked = all.flatMap((one) => {
    const used = last.findIndex((other) => samePlace(other, one))
    const match = matchOf(one, typed, used >= 0)
    const known = popular.indexOf(one.neighbourhood || one.town || one.region)
    return match === null
      ? []
      : [{ one, order: [match, used < 0 ? last.length : used, away(one), known < 0 ? 99 : known] }]
  })
  return ranked
    .toSorted((a, b) => compare(a.order, b.order) || a.one.name.localeCompare(b.one.name, 'fr'))
    .slice(0, SHOWN)
    .map(({ one }) => one)
}

export function placeCandidates({ regions, towns, neighbourhoods }: Places): readonly Candidate[] {
  const regionOf = new Map(regions.map((one) => [one.slug, one]))
  const townOf = new Map(towns.map((one) => [one.slug, one]))
  return [
    ...towns.map((town) => {
      const region = regionOf.get(town.region)
      const slugs = { region: town.region, town: town.slug, neighbourhood: '' }
      const names = [town.name, ...town.aliases]
      return candidate(slugs, names, [region?.name, region?.former_name], town)
    }),
    ...neighbourhoods.map((quarter) => {
      const town = townOf.get(quarter.town)
      const region = town?.region ?? ''
      return candidate(
        { region, town: quarter.town, neighbourhood: quarter.slug },
        [quarter.name, ...quarter.aliases],
        [town?.name, ...(town?.aliases ?? [])],
        { lat: quarter.lat ?? town?.lat ?? null, lon: quarter.lon ?? town?.lon ?? null },
      )
    }),
    ...regions.map(({ slug, name, former_name, aliases }) =>
      candidate({ region: slug, town: '', neighbourhood: '' }, [name, former_name, ...aliases], []),
    ),
  ]
}

type Names = readonly (string | null | undefined)[]

function candidate(
  slugs: PlaceSlugs,
  names: Names,
  within: Names,
  { lat, lon }: Pick<Candidate, 'lat' | 'lon'> = { lat: null, lon: null },
): Candidate {
  const keysOf = (all: Names) => all.flatMap((name) => (name ? nameKey(name) : []))
  return {
    ...slugs,
    name: names[0] ?? '',
    within: within[0] ?? '',
    keys: keysOf(names),
    withinKeys: keysOf(within),
    lat,
    lon,
  }
}

export function samePlace(a: PlaceSlugs, b: PlaceSlugs) {
  return a.region === b.region && a.town === b.town && a.neighbourhood === b.neighbourhood
}

function matchOf(
  { keys, withinKeys, town, neighbourhood }: Candidate,
  typed: string,
  used: boolean,
) {
  const kind = neighbourhood !== '' ? 1 : town !== '' ? 0 : 2
  if (typed === '') return used ? 0 : kind === 0 ? 1 : null
  if (keys.includes(typed)) return kind
  if (keys.some((key) => key.startsWith(typed))) return 3 + kind
  const words = typed.split(' ')
  const starts = (key: string, word: string) => ` ${key}`.includes(` ${word}`)
  const own = words.filter((word) => keys.some((key) => starts(key, word)))
  if (own.length === 0) return null
  return words.every(
    (word) => own.includes(word) || withinKeys.some((key) => starts(fold(key), word)),
  )
    ? 6 + kind
    : null
}

/** Squared degrees: enough to compare near the equator. */
function distanceFrom(all: readonly Candidate[], last: PlaceSlugs | undefined) {
  const here =
    last &&
    (all.find((one) => samePlace(one, last)) ?? all.find(({ region }) => region === last.region))
  return ({ lat, lon }: Candidate) =>
    here?.lat == null || here.lon == null || lat === null || lon === null
      ? 0
      : (lat - here.lat) ** 2 + (lon - here.lon) ** 2
}

function compare(a: readonly number[], b: readonly number[]) {
  for (const [at, value] of a.entries()) {
    const by = value - (b[at] ?? 0)
    if (by !== 0) return by
  }
  return 0
}
