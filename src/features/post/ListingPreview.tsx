import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useContext, useDeferredValue, useMemo, useSyncExternalStore } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { ListingCard } from '../../parts/ListingCard.tsx'
import { ServerPhotos } from './DraftPhoto.tsx'
import type { Form } from './form.ts'
import { categoryOf } from '../../parts/categories.ts'
import { priceOf } from '../../parts/typedPrice.ts'
import css from './ListingPreview.module.css'
import type { Photos } from './usePhotos.ts'
import type { ListingFields } from '#schema/port/ownListing'
import type { Image, SellerMini } from '#schema/wire/shapes'
import { usePlaceName } from '../../parts/catalogue.ts'
import { useNow } from '../../parts/now.ts'

export function ListingPreview({
  listing,
  unpriced,
  children,
}: {
  listing: ListingDocument
  unpriced?: string | undefined
  children?: ReactNode
}) {
  const { t } = useLingui()
  return (
    <figure className="spaced" aria-label={t`Aperçu de l’annonce`}>
      <div inert className={css.card}>
        <ListingCard listing={listing} unpriced={unpriced} />
      </div>
      {children}
    </figure>
  )
}

/** Deferred: typing never waits for it. */
export function LivePreview({ id, form, photos }: { id: string; form: Form; photos: Photos }) {
  const { t } = useLingui()
  const shown = useDeferredValue(form)
  const [first = ''] = photos.ids
  const there = useContext(ServerPhotos).get(first) ?? null
  const local = useLocalImage(photos.files.get(first) ?? null)
  const price = priceOf(shown.price) ?? 0
  // Where no price means "free", buyers will see that.
  const unpriced = price === 0 && !categoryOf(shown.category)?.absent ? t`Prix` : undefined
  const listing = usePreviewListing(
    id,
    {
      title: shown.title.trim() || t`Le titre de votre annonce`,
      price: price === 0 ? null : price,
      negotiable: shown.negotiable,
      category: shown.category || 'other',
      region: shown.region,
      town: shown.town || null,
      neighbourhood: shown.neighbourhood || null,
    },
    there ?? local,
  )
  return (
    <ListingPreview listing={listing} unpriced={unpriced}>
      <figcaption className="quiet">{t`Ce que verront les acheteurs`}</figcaption>
      {shown.description.trim() !== '' && (
        <p dir="auto" className={css.text}>
          {shown.description}
        </p>
      )}
    </ListingPreview>
  )
}

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
        avif_widths: [],
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
