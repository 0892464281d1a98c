import { useLingui } from '@lingui/react/macro'
import type { ListingDocument } from '#schema/disk/documents'
import { VIEWPORT_END } from '#schema/viewport'
import { useFormat } from '../../locales/format.ts'
import { Price } from '../../parts/Price.tsx'
import { useStatusLabels } from '../../parts/status.ts'
import { Aged, When } from '../../parts/When.tsx'
import type { Live } from '../../data/live.ts'
import css from './Head.module.css'
import { ListingLocation } from './Part.tsx'

export function Head({
  listing,
  owner,
  live,
}: {
  listing: ListingDocument
  owner: boolean
  live: Live<'listing.detail'>
}) {
  const { t } = useLingui()
  return (
    <header id={VIEWPORT_END} className={css.head}>
      <State listing={listing} owner={owner} />
      <p className={css.price}>
        <Price
          price={listing.price}
          category={listing.category}
          rent={listing.more?.specs['offer_type'] === 'rent'}
        />
        {listing.negotiable && <span className={css.negotiable}>{t`À débattre`}</span>}
      </p>
      <h1 dir="auto" className={css.title}>
        {listing.title}
      </h1>
      <p className={css.quiet}>
        <span>
          <ListingLocation listing={listing} />
        </span>
        {listing.posted_at !== null && <When at={listing.posted_at} />}
        <Views total={listing.views_total} today={listing.views_today} />
      </p>
      <Aged live={live} className={css.quiet} />
    </header>
  )
}

function State({ listing, owner }: { listing: ListingDocument; owner: boolean }) {
  const { t } = useLingui()
  const labels = useStatusLabels()
  const state = labels[listing.status]
  if (state === undefined && !owner && !listing.is_featured) return null
  return (
    <p className={css.labels}>
      {owner && <span className={css.label}>{t`Votre annonce`}</span>}
      {state !== undefined && <span className={css.label}>{state}</span>}
      {listing.is_featured && <span className={css.featured}>{t`À la une`}</span>}
    </p>
  )
}

/** Not Lingui's plural, which creates a number formatter before the first render. */
function Views({ total, today }: { total: number; today: number }) {
  const { t } = useLingui()
  const { number } = useFormat()
  const [all, now] = [number(total), number(today)]
  if (total === 0) return <span>{t`Aucune vue`}</span>
  if (total === 1) return <span>{today > 0 ? t`1 vue aujourd’hui` : t`1 vue`}</span>
  return <span>{today > 0 ? t`${all} vues, dont ${now} aujourd’hui` : t`${all} vues`}</span>
}
