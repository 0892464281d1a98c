import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useContext, useDeferredValue } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { ListingCard } from '../../parts/ListingCard.tsx'
import { ServerPhotos } from './DraftPhoto.tsx'
import type { Form } from './form.ts'
import { priceOf } from '../../parts/typedPrice.ts'
import css from './ListingPreview.module.css'
import { useLocalImage, usePreviewListing } from './previewListing.ts'
import type { Photos } from './usePhotos.ts'

/** The card of a listing as buyers see it; it leads nowhere. */
export function ListingPreview({
  listing,
  children,
}: {
  listing: ListingDocument
  children?: ReactNode
}) {
  const { t } = useLingui()
  return (
    <figure className={css.preview} aria-label={t`Aperçu de l’annonce`}>
      <div inert className={css.card}>
        <ListingCard listing={listing} />
      </div>
      {children}
    </figure>
  )
}

/** What is being written, beside the form. Deferred: typing never waits for it. */
export function LivePreview({ id, form, photos }: { id: string; form: Form; photos: Photos }) {
  const { t } = useLingui()
  const shown = useDeferredValue(form)
  const [first = ''] = photos.ids
  const there = useContext(ServerPhotos).get(first) ?? null
  const local = useLocalImage(photos.files.get(first) ?? null)
  const price = priceOf(shown.price) ?? 0
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
    <ListingPreview listing={listing}>
      <figcaption className="quiet">{t`Ce que verront les acheteurs`}</figcaption>
      {shown.description.trim() !== '' && (
        <p dir="auto" className={css.text}>
          {shown.description}
        </p>
      )}
    </ListingPreview>
  )
}
