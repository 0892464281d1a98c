import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Star from 'lucide-react/icons/star'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { FollowButton } from '../../parts/FollowButton.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import css from './Seller.module.css'

/** Who sells: name, rating, answers, and what the mark proves. */
export function Seller({ listing }: { listing: ListingDocument }) {
  const { t } = useLingui()
  const { number } = useFormat()
  const { seller, rating, more } = listing
  const name = seller.deleted ? t`Compte supprimé` : (seller.shop_name ?? seller.username)
  const inside = (
    <>
      <Avatar src={seller.avatar} name={name} size="m" />
      <span className={css.words}>
        <span dir="auto" className={css.name}>
          {name}
          {seller.verified_seller && <BadgeCheck aria-label={t`Vendeur vérifié`} className={css.verified} />}
        </span>
        {rating.average !== null && (
          <span className={css.rating}>
            <Star aria-hidden />
            {number(rating.average)} · <Plural value={rating.count} one="# avis" other="# avis" />
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
          <Trans>Vérifié : l’équipe a contrôlé l’identité et le numéro de ce vendeur.</Trans>
        </p>
      )}
      {more && !seller.deleted && (
        <ul className={css.facts}>
          {more.seller.typical_response_hours !== null && (
            <li>
              <Plural value={more.seller.typical_response_hours} one="Répond en général en # heure" other="Répond en général en # heures" />
            </li>
          )}
          <li>
            <Plural value={more.seller.listings_count} one="# annonce en ligne" other="# annonces en ligne" />
          </li>
          <li>
            <Plural value={more.seller.items_sold} one="# article vendu" other="# articles vendus" />
          </li>
          <li>
            {more.seller.years_on_platform > 0 ? (
              <Plural value={more.seller.years_on_platform} one="Membre depuis # an" other="Membre depuis # ans" />
            ) : (
              <Trans>Membre depuis moins d’un an</Trans>
            )}
          </li>
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
