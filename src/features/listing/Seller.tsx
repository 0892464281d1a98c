import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ListingDocument } from '#schema/disk/documents'
import { FollowButton } from '../../parts/FollowButton.tsx'
import { useNameOf } from '../../parts/person.ts'
import { Rating, SellerFacts } from '../../parts/SellerFacts.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import css from './Seller.module.css'

export function Seller({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const { seller, rating, more } = listing
  const name = useNameOf()(seller)
  const inside = (
    <>
      <Avatar src={seller.avatar} name={name} size="m" />
      <span className={css.text}>
        <span dir="auto" className={css.name}>
          {name}
          {seller.verified_seller && <Verified />}
        </span>
        {rating.average !== null && (
          <span className={css.rating}>
            <Rating average={rating.average} count={rating.count} />
          </span>
        )}
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
        </Link>
      )}
      {seller.verified_seller && (
        <p className={css.proof}>
          {t`Vérifié : l’équipe a contrôlé l’identité et le numéro de ce vendeur.`}
        </p>
      )}
      {more && !seller.deleted && (
        <ul className={css.facts}>
          <SellerFacts seller={more.seller} />
        </ul>
      )}
      {!seller.deleted && (
        <div className={css.follow}>
          <FollowButton seller={seller.id} />
        </div>
      )}
    </section>
  )
}
