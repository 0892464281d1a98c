import { resolveCategory } from '#schema/catalogue'
import { regionName, resolveRegions, resolveTowns, townName } from '#schema/places'
import type { ListingDocument } from '../../noun.ts'

/** Slugs instead of names of categories and places; unknown ones stay [API 19]. */
export function straighten(listing: ListingDocument) {
  const region = resolveRegions(listing.region)[0] ?? listing.region
  const town =
    listing.town === null ? null : (resolveTowns(listing.town, region)[0] ?? listing.town)
  return {
    ...listing,
    category: resolveCategory(listing.category) ?? listing.category,
    region,
    region_name: region === listing.region ? listing.region_name : regionName(region),
    town,
    town_name: town === null || town === listing.town ? listing.town_name : townName(town),
  }
}
