import { useMemo, useSyncExternalStore } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { readListing } from '#schema/listingDocument'
import type { ListingFields } from '#schema/port/ownListing'
import type { Image } from '#schema/wire/shapes'
import { usePlaceName } from '../../parts/catalogue.ts'
import { useNow } from '../../parts/now.ts'

/** A listing that is not on the server, as buyers will see it. */
export function usePreviewListing(
  id: string,
  fields: Pick<ListingFields, 'title' | 'price' | 'category' | 'region' | 'town' | 'neighbourhood'>,
  cover: Image | null,
): ListingDocument | null {
  const nameOf = usePlaceName()
  const now = useNow()
  const listing = readListing(
    {
      ...fields,
      id,
      region_name: nameOf(fields.region) ?? fields.region,
      town_name: nameOf(fields.town),
      neighbourhood_name: nameOf(fields.neighbourhood),
      status: 'active',
      posted_at: new Date(now).toISOString(),
    },
    now,
  )
  return listing && { ...listing, cover }
}

/** A photo of this device in the form of one of the server's. */
export function useLocalImage(file: Blob | null): Image | null {
  const address = useMemo(() => addressOf(file), [file])
  const url = useSyncExternalStore(address.on, address.now)
  return url === null
    ? null
    : {
        id: 'local',
        position: 0,
        width: 4,
        height: 3,
        url,
        base: url,
        widths: [],
        formats: [],
        thumbhash: null,
        color: null,
      }
}

/** An object URL that lasts while somebody shows it. */
function addressOf(file: Blob | null) {
  let url: string | null = null
  return {
    now: () => url,
    on(changed: () => void): () => void {
      url = file && URL.createObjectURL(file)
      changed()
      return () => {
        if (url !== null) URL.revokeObjectURL(url)
        url = null
      }
    },
  }
}
