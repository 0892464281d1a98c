import type { ListingDocument } from '#schema/disk/documents'

type Placed = Pick<
  ListingDocument,
  'neighbourhood_name' | 'town_name' | 'location_note' | 'region_name'
>

/** "Gounghin, Ouagadougou", a note with the region, or the region alone. */
export function placeOf({ neighbourhood_name, town_name, location_note, region_name }: Placed) {
  const near = neighbourhood_name ?? location_note
  const far = town_name ?? region_name
  return near === null || near === far ? far : `${near}, ${far}`
}

export function townOf({ town_name, location_note, region_name }: Placed) {
  return town_name ?? location_note ?? region_name
}
