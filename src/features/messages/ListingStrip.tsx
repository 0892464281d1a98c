import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ListingStatus } from '#schema/wire/listing'
import type { Image, SellerMini } from '#schema/wire/shapes'
import type { ConversationDocument } from '#schema/disk/documents'
import { Price } from '../../parts/Price.tsx'
import { useStatusLabels } from '../../parts/status.ts'
import css from './ListingStrip.module.css'
import { ImageOff, Pencil, Phone, X } from 'lucide-react'
import { Picture } from '../../parts/Picture.tsx'
import { useNameOf } from '../../parts/person.ts'
import { Verified } from '../../parts/Verified.tsx'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button, ButtonAnchor, ButtonLink, IconButton } from '../../ui/Button.tsx'
import {
  DemoNote,
  focus,
  type Phone as SellerPhone,
  shownNumber,
  WhatsAppLink,
} from '../listing/Phone.tsx'
import { useSaveData } from '../../data/saveData.ts'
import { useBroken } from '../../ui/brokenImage.ts'

export type Subject = Pick<
  ConversationDocument['listing'],
  'id' | 'title' | 'price' | 'image' | 'status'
>

export function ListingStrip({ listing, category }: { listing: Subject; category: string | null }) {
  const status = useStatusText(listing.status)
  const inside = (
    <>
      <SmallCover image={listing.image} size={44} className={css.photo} />
      <span className="column grow">
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

function useStatusText(status: ListingStatus) {
  const { t } = useLingui()
  const labels = useStatusLabels()
  if (status === 'pending' || status === 'rejected') return undefined
  return status === 'deleted' ? t`Annonce supprimée` : labels[status]
}

/** [S13.37]. */
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
          className={css.panelPhoto}
        />
      ) : (
        <span className={css.panelPhoto}>
          <ImageOff />
        </span>
      )}
      <div className={css.panelAbout}>
        <h2 dir="auto" className={css.panelTitle}>
          {listing.title}
        </h2>
        <p className={css.panelPrice}>
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
            <p className={css.panelName}>
              <span dir="auto">{name}</span>
              {peer.verified_seller && <Verified />}
            </p>
            <p className="quiet">
              {buys ? t`Vend cette annonce` : t`Vous écrit pour cette annonce`}
            </p>
            {peer.slug !== null && !peer.deleted && (
              <Link to="/shop/$slug" params={{ slug: peer.slug }} className="tap">
                {t`Voir la boutique`}
              </Link>
            )}
          </div>
        </div>
      )}
    </aside>
  )
}

/** The smallest variant; a sign in save-data mode, or if it is missing. */
export function SmallCover({
  image,
  size,
  className,
}: {
  image: Image | null
  size: number
  className: string | undefined
}) {
  const saveData = useSaveData()
  const { broken, watch } = useBroken(image?.url)
  return image && !saveData && !broken ? (
    <img
      src={image.url.replace(/\d+\.webp$/u, `${image.widths[0] ?? 160}.webp`)}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      className={className}
      {...watch}
    />
  ) : (
    <span className={className}>
      <ImageOff />
    </span>
  )
}

export function PhoneLine({
  phone,
  listing,
  onClose,
}: {
  phone: string
  listing: Subject
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <div className={css.phone} role="group" aria-label={t`Numéro du vendeur`}>
      <ButtonAnchor ref={focus} href={`tel:${phone}`} icon={Phone} kind="quiet">
        {shownNumber(phone)}
      </ButtonAnchor>
      <WhatsAppLink kind="quiet" phone={phone} listing={listing}>
        WhatsApp
      </WhatsAppLink>
      <IconButton label={t`Masquer le numéro`} icon={X} onClick={onClose} />
      <DemoNote phone={phone} className={css.note} />
    </div>
  )
}
