import {
  type Counts,
  countFacets,
  facetsOf,
  pairOf,
  PriceTally,
  TextTally,
  wantedOf,
} from '#schema/facets'
import type { Filter, Query } from '#schema/filter'
import { type FilterPart, filterPartsOf } from '#schema/match'
import type { Facets } from '#schema/wire/listing'
import type { Db } from '../../../db/tables.ts'
import { AnswerCache } from '../../../answer-cache.ts'
import { type Asked, askedOf, filterOf } from './queries.ts'
import type { View } from '../card.ts'
import {
  type CodedAspect,
  ownListings,
  listingIndexOf,
  type ListingIndex,
  type IndexedListing,
} from './listingIndex.ts'

const cache = new AnswerCache<ListingIndex, { facets: Facets; version: number }>(15_000, 500)

/** [API 8.3] */
export async function readFacets(db: Db, query: Query, view: View): Promise<Facets> {
  // Counts have no order.
  const filter = filterOf({ ...query, ordering: '' }, view.now)
  const asked = await askedOf(db, filter, view.me)
  const index = listingIndexOf(db)
  await index.refresh()
  const key = JSON.stringify([view.language, filter, asked, view.now.getUTCFullYear()])
  const known = cache.get(index, key, view.now)
  if (known?.version === index.version) return known.facets
  const version = index.version
  const facets = await countNow(db, index, asked, filter, view)
  cache.set(index, key, { facets, version }, view.now)
  return facets
}

async function countNow(
  db: Db,
  index: ListingIndex,
  asked: Asked | null,
  filter: Filter,
  { language, now }: View,
) {
  const year = now.getUTCFullYear()
  if (asked === null) return countFacets([], filter, [], language, year)
  const parts = filterPartsOf(filter, now.getTime(), asked.sellerId)
  if (asked.scope === 'own' && asked.sellerId !== null)
    return countFacets(
      await ownListings(db, asked.sellerId, filter.searchWords),
      filter,
      parts,
      language,
      year,
    )
  return facetsOf(countInIndex(index, parts, filter, now), filter, language, year)
}

/** `countFacets` on number codes instead of texts. */
function countInIndex(
  index: ListingIndex,
  parts: readonly FilterPart[],
  filter: Filter,
  now: Date,
): Counts {
  const { buckets, fields } = wantedOf(filter, now.getUTCFullYear())
  const pairs = tallyOf(index, 'category')
  const regions = tallyOf(index, 'place')
  const towns = tallyOf(index, 'place')
  const conditions = tallyOf(index, 'mark')
  const prices = new PriceTally(buckets)
  const specs = fields.map((field) => ({
    name: field.name,
    facet: `spec.${field.name}`,
    tally: new TextTally(),
  }))
  const found = filter.searchWords.length === 0 ? null : index.find(filter.searchWords)
  let count = 0
  index.sift(parts, now.getTime(), found && found.titled.concat(found.rest), (at, failed) => {
    const price = index.prices[at] ?? Number.NaN
    if (failed === '') count += 1
    if (failed === '' || failed === 'categories') pairs.add(at)
    if (failed === '' || failed === 'regions') regions.add(at)
    if (failed === '' || failed === 'towns') towns.add(at)
    if (failed === '' || failed === 'conditions') conditions.add(at)
    if ((failed === '' || failed === 'price') && !Number.isNaN(price)) prices.add(price)
    for (const { name, facet, tally } of specs)
      if (failed === '' || failed === facet) tally.add(index.at(at)?.specs[name])
    return true
  })
  return {
    count,
    pairs: pairs.by(pairOf),
    regions: regions.by(({ region }) => region),
    towns: towns.by(({ town }) => town),
    conditions: conditions.by(({ condition }) => condition),
    prices,
    specs: new Map(specs.map(({ name, tally }) => [name, tally])),
  }
}

function tallyOf(index: ListingIndex, aspect: CodedAspect) {
  const { at, samples } = index.codes(aspect)
  const counts = new Uint32Array(samples.length)
  return {
    add(place: number): void {
      const code = at[place] ?? 0
      counts[code] = (counts[code] ?? 0) + 1
    },
    by(nameOf: (sample: IndexedListing) => string | null): Map<string, number> {
      const named = new Map<string, number>()
      for (const [code, sample] of samples.entries()) {
        const name = nameOf(sample)
        const n = counts[code] ?? 0
        if (name !== null && n > 0) named.set(name, (named.get(name) ?? 0) + n)
      }
      return named
    },
  }
}
