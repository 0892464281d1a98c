'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Images } from 'lucide-react'
import { memo } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { classes } from '../ui/classes.ts'
import css from './ListingCard.module.css'
import { Picture } from './Picture.tsx'
import { townOf } from './place.ts'
import { Price } from './Price.tsx'
import { SaveButton } from './SaveButton.tsx'
import { When } from './When.tsx'

export type CardView = 'grid' | 'compact'
export type CardSlot = keyof typeof slots

/** The photo's width on screen, and the widest step that it may load. */
const slots = {
  // 4 px less than it has: most phones, of 360 px × 2, then load 320 instead of 360.
  grid: ['(width < 600px) calc(50vw - 1.25rem), (width < 900px) calc(33.3vw - 1.2rem), 13rem', 512],
  row: ['(width < 901px) 10.5rem, 13rem', 512],
  // Its height shows more of a photo of 4:3 than its width does.
  compact: ['118px', 360],
} as const

/** [DESIGN 4]. Memoized: a growing list renders only its new cards. */
export const ListingCard = memo(function Card({
  id,
  listing,
  view = 'grid',
  eager = false,
  unpriced,
}: {
  id?: string | undefined
  listing: ListingDocument
  /** Instead of a price that was not written yet. */
  unpriced?: string | undefined
  view?: CardSlot
  eager?: boolean
}) {
  const compact = view === 'compact'
  const [sizes, widest] = slots[view]
  return (
    <article
      id={id}
      data-listing={listing.id}
      className={classes(css.card, compact && css.compact)}
    >
      <a href={`/listings/${listing.id}`} className={css.link}>
        <span className={css.top}>
          <Picture
            image={listing.cover}
            alt=""
            category={listing.category}
            sizes={sizes}
            widest={widest}
            eager={eager}
            className={css.photo}
          />
          <Label listing={listing} />
          {listing.images_count > 1 && !compact && (
            <span className={css.count}>
              <Images />
              {listing.images_count}
            </span>
          )}
        </span>
        <span className={css.text}>
          <span className={css.lines}>
            <span>
              <strong className={css.price}>
                {unpriced ?? <Price price={listing.price} category={listing.category} />}
              </strong>
              <h3 dir="auto" className={css.title}>
                {listing.title}
              </h3>
            </span>
          </span>
          <span className={css.quiet}>{townOf(listing)}</span>
          {listing.posted_at !== null && <When at={listing.posted_at} className={css.quiet} />}
        </span>
      </a>
      <SaveButton listing={listing.id} className={css.heart} />
    </article>
  )
})

function Label({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  if (listing.status === 'sold')
    return <span className={classes(css.label, css.sold)}>{t`Vendu`}</span>
  if (listing.status === 'reserved') return <span className={css.label}>{t`Réservé`}</span>
  if (listing.is_featured)
    return <span className={classes(css.label, css.featured)}>{t`À la une`}</span>
  return null
}
