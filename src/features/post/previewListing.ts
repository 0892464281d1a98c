import { useMemo, useSyncExternalStore } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import type { ListingFields } from '#schema/port/ownListing'
import type { Image, SellerMini } from '#schema/wire/shapes'
import { usePlaceName } from '../../parts/catalogue.ts'
import { useNow } from '../../parts/now.ts'

/** A listing that is not on the server, as buyers will see it. */
export function usePreviewListing(
  id: string,
  fields: Pick<
    ListingFields,
    'title' | 'price' | 'negotiable' | 'category' | 'region' | 'town' | 'neighbourhood'
  >,
  cover: Image | null,
): ListingDocument {
  const nameOf = usePlaceName()
  const now = useNow()
  return {
    ...fields,
    id,
    condition: null,
    region_name: nameOf(fields.region) ?? fields.region,
    town_name: nameOf(fields.town) ?? null,
    neighbourhood_name: nameOf(fields.neighbourhood) ?? null,
    location_note: null,
    cover,
    images_count: cover === null ? 0 : 1,
    seller: noSeller,
    seller_id: '',
    rating: { average: null, count: 0 },
    status: 'active',
    review_status: 'pending',
    is_active: true,
    is_sold: false,
    is_reserved: false,
    is_archived: false,
    is_featured: false,
    has_phone: false,
    views_total: 0,
    views_today: 0,
    posted_at: new Date(now).toISOString(),
    updated_at: new Date(now).toISOString(),
    more: null,
    newest: -now,
    openedAt: 0,
    storedAt: now,
  }
}

const noSeller: SellerMini = {
  id: '',
  username: '',
  shop_name: null,
  slug: null,
  avatar: null,
  verified_seller: false,
  deleted: false,
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
