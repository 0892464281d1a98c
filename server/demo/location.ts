import { weightedChoice, type Random } from './random.ts'
import places from '#schema/data/locations.json' with { type: 'json' }
import type { DemoCategory } from './source.ts'

type Town = (typeof places.towns)[number]
type Neighbourhood = (typeof places.neighbourhoods)[number]

export interface Location {
  readonly region: string
  readonly town: Town | null
  readonly neighbourhood: Neighbourhood | null
}

const [capital, second] = ['ouagadougou', 'bobo-dioulasso'].map((slug) => {
  const town = places.towns.find((one) => one.slug === slug)
  if (!town) throw new Error(`no town ${slug}`)
  return {
    town,
    quarter: weightedChoice(
      places.neighbourhoods.filter((one) => one.town === slug),
      ({ weight }) => weight,
    ),
  }
})
const elsewhere = weightedChoice(
  places.towns.filter(({ slug }) => slug !== 'ouagadougou' && slug !== 'bobo-dioulasso'),
  ({ weight }) => weight ** 0.85,
)

/**
 * Most are in the two big towns; 60 % of those have a neighbourhood, and 7 % of all only a region.
 */
export function pickLocation(choice: Random, townMissing = 0.07): Location {
  const big = { big: capital, other: second, none: undefined }[
    choice.weigh({ big: 0.62, other: 0.17, none: 0.21 })
  ]
  const town = big?.town ?? elsewhere(choice)
  const neighbourhood = big && choice.chance(0.6) ? big.quarter(choice) : null
  return choice.chance(townMissing)
    ? { region: town.region, town: null, neighbourhood: null }
    : { region: town.region, town, neighbourhood }
}

export const pickTown = weightedChoice(places.towns, ({ weight }) => weight ** 0.85)

/** By how much prices depend on the place. */
export function placeFactor(
  { place_factor: factors }: DemoCategory,
  { town, neighbourhood }: Location,
): number {
  const known = (neighbourhood && factors[neighbourhood.slug]) ?? (town && factors[town.slug])
  if (known !== null && known !== undefined) return known
  return (
    (town?.slug === 'ouagadougou' ? factors['_ouagadougou_default'] : factors['_other_town']) ?? 1
  )
}
