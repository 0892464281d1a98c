import type { ListingDocument } from '#schema/disk/documents'
import { usePlaceName } from '../../parts/catalogue.ts'
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
  const nameOf = usePlaceName()
  return placeOf({
    ...listing,
    region_name: listing.region_name || (nameOf(listing.region) ?? ''),
    town_name: listing.town_name ?? nameOf(listing.town) ?? null,
    neighbourhood_name: listing.neighbourhood_name ?? nameOf(listing.neighbourhood) ?? null,
  })
}
