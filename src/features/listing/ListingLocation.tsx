import type { ListingDocument } from '#schema/disk/documents'
import { useSay } from '../../locales/say.ts'
import { usePlaces } from '../../parts/catalogue.ts'
import { placeOf } from '../../parts/place.ts'

export function ListingLocation({ listing }: { listing: ListingDocument }) {
  const { region_name: region, town, town_name, neighbourhood, neighbourhood_name } = listing
  const named =
    region !== '' &&
    (town === null || town_name !== null) &&
    (neighbourhood === null || neighbourhood_name !== null)
  return named ? placeOf(listing) : <FromGazetteer listing={listing} />
}

/** After a local change of location the server's names are missing. */
function FromGazetteer({ listing }: { listing: ListingDocument }) {
  const say = useSay()
  const places = usePlaces()
  if (!places) return placeOf(listing)
  const { regions, towns, neighbourhoods } = places
  return placeOf({
    ...listing,
    region_name:
      listing.region_name ||
      (say(regions.find(({ slug }) => slug === listing.region)?.label) ?? ''),
    town_name: listing.town_name ?? towns.find(({ slug }) => slug === listing.town)?.name ?? null,
    neighbourhood_name:
      listing.neighbourhood_name ??
      neighbourhoods.find(({ slug }) => slug === listing.neighbourhood)?.name ??
      null,
  })
}
