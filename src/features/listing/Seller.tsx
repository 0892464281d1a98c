import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { FollowButton } from '../../parts/FollowButton.tsx'
import { useNameOf } from '../../parts/person.ts'
import { Rating, SellerFacts } from '../../parts/SellerFacts.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import part from './Part.module.css'
import css from './Seller.module.css'

export function Seller({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const { number } = useFormat()
  const { seller, rating, more } = listing
  const name = useNameOf()(seller)
  const hours = more?.seller.typical_response_hours ?? null
  const time = number(hours ?? 0)
  const inside = (
    <>
      <Avatar src={seller.avatar} name={name} size="m" />
      <span className={css.text}>
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
          <ChevronRight className={css.open} />
        </Link>
      )}
    </section>
  )
}

export function SellerDetails({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const { seller, more } = listing
  const name = useNameOf()(seller)
  if (seller.deleted || more === null) return null
  return (
    <section className={part.part} aria-label={t`À propos du vendeur`}>
      <div className={css.head}>
        <h2 dir="auto" className={css.title}>
          {name}
        </h2>
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
