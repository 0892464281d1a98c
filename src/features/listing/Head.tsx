import { useLingui } from '@lingui/react/macro'
import { VIEWPORT_END } from '#schema/viewport'
import { useFormat } from '../../locales/format.ts'
import { Price } from '../../parts/Price.tsx'
import { useStatusLabels } from '../../parts/status.ts'
import { Aged, When } from '../../parts/When.tsx'
import type { Live } from '../../data/live.ts'
import css from './Head.module.css'
import { ListingLocation, type ListingProps } from './Part.tsx'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { FollowButton } from '../../parts/FollowButton.tsx'
import { useNameOf } from '../../parts/person.ts'
import { Rating, SellerFacts } from '../../parts/SellerFacts.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import part from './Part.module.css'

export function Head({
  listing,
  owner,
  live,
}: ListingProps & {
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

function State({ listing, owner }: ListingProps & { owner: boolean }) {
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

export function Seller({ listing }: ListingProps) {
  const { t } = useLingui()
  const { number } = useFormat()
  const { seller, rating, more } = listing
  const name = useNameOf()(seller)
  const hours = more?.seller.typical_response_hours ?? null
  const time = number(hours ?? 0)
  const inside = (
    <>
      <Avatar src={seller.avatar} name={name} size="m" />
      <span className="grow">
        <span dir="auto" className={css.name}>
          <span className="ellipsis">{name}</span>
          {seller.verified_seller && <Verified />}
        </span>
        <span className={css.quiet}>
          {rating.average !== null && (
            <span className={css.rating}>
              <Rating average={rating.average} count={rating.count} />
            </span>
          )}
          {hours !== null && <span>{t`répond en ${time} h`}</span>}
        </span>
      </span>
    </>
  )
  return (
    <section className={css.seller} aria-label={t`Vendeur`}>
      {seller.deleted ? (
        <div className={css.who}>{inside}</div>
      ) : (
        <Link to="/shop/$slug" params={{ slug: seller.slug ?? seller.id }} className={css.who}>
          {inside}
          <ChevronRight className="quiet" />
        </Link>
      )}
    </section>
  )
}

export function SellerDetails({ listing }: ListingProps) {
  const { t } = useLingui()
  const { seller, more } = listing
  const name = useNameOf()(seller)
  if (seller.deleted || more === null) return null
  return (
    <section className={part.part} aria-label={t`À propos du vendeur`}>
      <div className={css.sellerHead}>
        <h2 dir="auto">{name}</h2>
        <FollowButton seller={seller.id} />
      </div>
      {seller.verified_seller && (
        <p className={css.proof}>
          {t`Vérifié : l’équipe a contrôlé l’identité et le numéro de ce vendeur.`}
        </p>
      )}
      <ul className={css.facts}>
        <SellerFacts seller={more.seller} />
      </ul>
    </section>
  )
}
