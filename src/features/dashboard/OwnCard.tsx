import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import Clock from 'lucide-react/icons/clock'
import type { OwnListingDocument } from '#schema/disk/documents'
import { useFormat } from '../../locales/format.ts'
import { Picture } from '../../parts/Picture.tsx'
import { Price } from '../../parts/Price.tsx'
import { useStatusWords } from '../../parts/status.ts'
import { classes } from '../../ui/classes.ts'
import css from './OwnCard.module.css'
import { OwnActions } from './OwnActions.tsx'

/** One's own listing: what state it is in, what came of it, what can be done. `waiting`: something of it is still to be sent. */
export function OwnCard({ listing, waiting }: { listing: OwnListingDocument; waiting: boolean }) {
  /** Made here and not on the server yet: there is nothing to open, and nothing to act on. */
  const unsent = listing.id === listing.client_id
  return (
    <article data-listing={listing.id} className={css.card}>
      <div className={css.top}>
        <Picture image={listing.cover} alt="" category={listing.category} sizes="96px" widest={320} className={css.photo} />
        <div className={css.words}>
          <h2 dir="auto" className={css.title}>
            {unsent ? (
              listing.title
            ) : (
              <Link to="/listings/$listingId" params={{ listingId: listing.id }}>
                {listing.title}
              </Link>
            )}
          </h2>
          <p className={css.price}>
            <Price price={listing.price} category={listing.category} />
          </p>
          <Labels listing={listing} waiting={waiting || unsent} />
        </div>
      </div>
      {!unsent && (
        <>
          <Numbers listing={listing} />
          {listing.status === 'rejected' && listing.review_reason !== null && (
            <p dir="auto" className={css.reason}>
              {listing.review_reason}
            </p>
          )}
          <OwnActions listing={listing} />
        </>
      )}
    </article>
  )
}

function Labels({ listing, waiting }: { listing: OwnListingDocument; waiting: boolean }) {
  const { t } = useLingui()
  const open = listing.status === 'active' || listing.status === 'reserved'
  const word = useStatusWords()[listing.status] ?? t`En ligne`
  return (
    <p className={css.labels}>
      <span className={classes(css.label, listing.status === 'active' && css.good, listing.status === 'rejected' && css.bad)}>{word}</span>
      {open && listing.is_featured && <span className={classes(css.label, css.featured)}>{t`À la une`}</span>}
      {waiting && (
        <Link to="/outbox" className={classes(css.label, css.wait)}>
          <Clock aria-hidden />
          <Trans>En attente d’envoi</Trans>
        </Link>
      )}
    </p>
  )
}

function Numbers({ listing }: { listing: OwnListingDocument }) {
  const { day } = useFormat()
  const open = listing.status === 'active' || listing.status === 'reserved'
  const until = open && listing.expires_at !== null ? day(Date.parse(listing.expires_at)) : null
  return (
    <p className={css.numbers}>
      <span>
        <Plural value={listing.views_total} one="# vue" other="# vues" />
      </span>
      <span>
        <Plural value={listing.contacts_total} one="# contact" other="# contacts" />
      </span>
      <span>
        <Plural value={listing.favorites_total} one="# favori" other="# favoris" />
      </span>
      {until !== null && (
        <span>
          <Trans>En ligne jusqu’au {until}</Trans>
        </span>
      )}
    </p>
  )
}
