import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import ImageOff from 'lucide-react/icons/image-off'
import Pencil from 'lucide-react/icons/pencil'
import Phone from 'lucide-react/icons/phone'
import type { SellerMini } from '#schema/wire/shapes'
import { Picture } from '../../parts/Picture.tsx'
import { useNameOf } from '../../parts/person.ts'
import { Price } from '../../parts/Price.tsx'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import type { Phone as SellerPhone } from '../listing/usePhone.ts'
import css from './ListingPanel.module.css'
import { type Subject, useStatusText } from './ListingStrip.tsx'

/** The listing of the open conversation with its person, beside it on wide windows [S13.37]. */
export function ListingPanel({
  listing,
  category,
  peer,
  buys,
  phone,
}: {
  listing: Subject
  category: string | null
  peer: SellerMini | null
  buys: boolean
  phone: SellerPhone | null
}) {
  const { t } = useLingui()
  const nameOf = useNameOf()
  const status = useStatusText(listing.status)
  const name = nameOf(peer)
  return (
    <aside className={css.panel} data-about="" aria-label={t`Annonce de la conversation`}>
      {listing.image ? (
        <Picture
          image={listing.image}
          alt=""
          category={category ?? 'other'}
          sizes="20rem"
          widest={640}
          className={css.photo}
        />
      ) : (
        <span className={css.photo}>
          <ImageOff />
        </span>
      )}
      <div className={css.about}>
        <h2 dir="auto" className={css.title}>
          {listing.title}
        </h2>
        <p className={css.price}>
          <Price price={listing.price} category={category ?? 'other'} />
        </p>
        {status !== undefined && <p className={css.status}>{status}</p>}
        {listing.status !== 'deleted' && (
          <ButtonLink to="/listings/$listingId" params={{ listingId: listing.id }} wide>
            {t`Voir l’annonce`}
          </ButtonLink>
        )}
        {!buys && listing.status !== 'deleted' && (
          <ButtonLink to="/create-listing" search={{ listing: listing.id }} icon={Pencil} wide>
            {t`Modifier`}
          </ButtonLink>
        )}
        {phone?.phone === null && (
          <Button icon={Phone} wide disabled={phone.asking} onClick={() => void phone.call()}>
            {t`Afficher le numéro`}
          </Button>
        )}
      </div>
      {peer !== null && (
        <div className={css.person}>
          <Avatar src={peer.avatar} name={name} />
          <div className={css.who}>
            <p className={css.name}>
              <span dir="auto">{name}</span>
              {peer.verified_seller && <Verified />}
            </p>
            <p className={css.side}>
              {buys ? t`Vend cette annonce` : t`Vous écrit pour cette annonce`}
            </p>
            {peer.slug !== null && !peer.deleted && (
              <Link to="/shop/$slug" params={{ slug: peer.slug }} className={css.shop}>
                {t`Voir la boutique`}
              </Link>
            )}
          </div>
        </div>
      )}
    </aside>
  )
}
