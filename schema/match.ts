import { categoryOf } from './catalogue.ts'
import type { Filter, SpecFilter, LocationFilter } from './filter.ts'
import { type Findable, sameNote } from './findable.ts'
import { distanceKm, pointOf } from './places.ts'

/** `facet`: the one that is counted without this part [API 8.3]. */
export interface FilterPart {
  readonly facet?: string
  matches(listing: Findable): boolean
}

const DAY_MS = 86_400_000

/**
 * All must match. Search terms are left to `foundIn`; the seller must be resolved to an id. `now`
 * in ms.
 */
export function filterPartsOf(
  filter: Filter,
  now: number,
  sellerId: string | null = null,
): FilterPart[] {
  const { near, priceMin, priceMax, postedWithin, negotiable } = filter
  const parts: (FilterPart | false)[] = [
    filter.categories.length > 0 && {
      facet: 'categories',
      matches: (listing) => filter.categories.some((slug) => matchesCategory(listing, slug)),
    },
    filter.regions.length > 0 && {
      facet: 'regions',
      matches: (listing) => filter.regions.includes(listing.region),
    },
    filter.towns.length > 0 && {
      facet: 'towns',
      matches: (listing) =>
        filter.towns.some((spot) => matchesLocation(listing.town, listing, spot)),
    },
    filter.neighbourhoods.length > 0 && {
      matches: (listing) =>
        filter.neighbourhoods.some((spot) => matchesLocation(listing.neighbourhood, listing, spot)),
    },
    near !== null && {
      matches: (listing) => (kmFrom(near, listing) ?? Infinity) <= near.km,
    },
    (priceMin !== null || priceMax !== null) && {
      facet: 'price',
      matches: ({ price }) =>
        price !== null && price >= (priceMin ?? 0) && price <= (priceMax ?? Infinity),
    },
    filter.conditions.length > 0 && {
      facet: 'conditions',
      matches: ({ condition }) => condition !== null && filter.conditions.includes(condition),
    },
    negotiable !== null && {
      matches: (listing) => listing.negotiable === negotiable,
    },
    filter.hasImages && {
      matches: (listing) => listing.images_count > 0,
    },
    filter.featured && { matches: (listing) => listing.is_featured },
    filter.verified && {
      matches: (listing) => listing.seller_verified,
    },
    postedWithin !== null && {
      matches: ({ posted }) => posted >= now - postedWithin * DAY_MS,
    },
    filter.exclude.length > 0 && {
      matches: ({ id }) => !filter.exclude.includes(id),
    },
    sellerId !== null && {
      matches: (listing) => listing.seller_id === sellerId,
    },
    ...filter.specs.map((spec): FilterPart => ({
      facet: `spec.${spec.name}`,
      matches: (listing) => hasSpec(listing, spec),
    })),
  ]
  return parts.filter((part) => part !== false)
}

/** A category matches its own listings, its children's, and what it also shows [API 4.4]. */
export function matchesCategory(listing: Pick<Findable, 'category' | 'specs'>, slug: string) {
  const categoryFilters = categoryOf(slug)?.categoryFilters ?? []
  return categoryFilters.some(
    (one) =>
      one.category === listing.category && (one.type === null || one.type === listing.specs.type),
  )
}

export function kmFrom(
  from: { lat: number; lon: number },
  listing: Pick<Findable, 'region' | 'town' | 'neighbourhood'>,
) {
  const point = pointOf(listing)
  return point === null ? null : distanceKm(from, point)
}

function matchesLocation(slug: string | null, listing: Findable, spot: LocationFilter) {
  return 'slugs' in spot
    ? slug !== null && spot.slugs.includes(slug)
    : sameNote(listing.location_note, spot.note)
}

function hasSpec(listing: Findable, spec: SpecFilter) {
  const value = listing.specs[spec.name]
  switch (spec.kind) {
    case 'enum':
      return typeof value === 'string' && spec.values.includes(value)
    case 'text':
      return value !== undefined && String(value).toLowerCase() === spec.value
    case 'boolean':
      return value === spec.value
    case 'range':
      return (
        typeof value === 'number' &&
        value >= (spec.min ?? -Infinity) &&
        value <= (spec.max ?? Infinity)
      )
  }
}
