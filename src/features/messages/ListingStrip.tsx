import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import ImageOff from 'lucide-react/icons/image-off'
import type { ListingStatus } from '#schema/wire/listing'
import type { Image } from '#schema/wire/shapes'
import { useSaveData } from '../../data/saveData.ts'
import { Price } from '../../parts/Price.tsx'
import css from './ListingStrip.module.css'

export interface Subject {
  readonly id: string
  readonly title: string
  readonly price: number | null
  readonly image: Image | null
  readonly status: ListingStatus
}

export function ListingStrip({ listing, category }: { listing: Subject; category: string | null }) {
  const saveData = useSaveData()
  const status = useStatusText(listing.status)
  const inside = (
    <>
      {listing.image && !saveData ? (
        <img
          src={smallest(listing.image)}
          alt=""
          width={44}
          height={44}
          loading="lazy"
          decoding="async"
          className={css.photo}
        />
      ) : (
        <span className={css.photo}>
          <ImageOff />
        </span>
      )}
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

export function smallest({ url, widths }: Image): string {
  return url.replace(/\d+\.webp$/u, `${widths[0] ?? 160}.webp`)
}

/** undefined: nothing to say. */
export function useStatusText(status: ListingStatus): string | undefined {
  const { t } = useLingui()
  const labels: Partial<Record<ListingStatus, string>> = {
    sold: t`Vendu`,
    reserved: t`Réservé`,
    expired: t`Expirée`,
    inactive: t`En pause`,
    archived: t`Archivée`,
    deleted: t`Annonce supprimée`,
  }
  return labels[status]
}
