import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ListingStatus } from '#schema/wire/listing'
import type { Image } from '#schema/wire/shapes'
import { Price } from '../../parts/Price.tsx'
import { useStatusLabels } from '../../parts/status.ts'
import css from './ListingStrip.module.css'
import { SmallCover } from './SmallCover.tsx'

export interface Subject {
  readonly id: string
  readonly title: string
  readonly price: number | null
  readonly image: Image | null
  readonly status: ListingStatus
}

export function ListingStrip({ listing, category }: { listing: Subject; category: string | null }) {
  const status = useStatusText(listing.status)
  const inside = (
    <>
      <SmallCover image={listing.image} size={44} className={css.photo} />
      <span className={css.text}>
        <span dir="auto" className={css.title}>
          {listing.title}
        </span>
        <span className={css.price}>
          <Price price={listing.price} category={category ?? 'other'} />
          {status !== undefined && <span className={css.status}>{status}</span>}
        </span>
      </span>
    </>
  )
  if (listing.status === 'deleted') return <div className={css.strip}>{inside}</div>
  return (
    <Link to="/listings/$listingId" params={{ listingId: listing.id }} className={css.strip}>
      {inside}
    </Link>
  )
}

/** undefined: nothing to say. */
export function useStatusText(status: ListingStatus): string | undefined {
  const { t } = useLingui()
  const labels = useStatusLabels()
  if (status === 'pending' || status === 'rejected') return undefined
  return status === 'deleted' ? t`Annonce supprimée` : labels[status]
}
