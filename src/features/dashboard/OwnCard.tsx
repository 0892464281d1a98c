import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Clock } from 'lucide-react'
import type { OwnListingDocument } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import { ask } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { StoredPhoto } from '../../parts/StoredPhoto.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Price } from '../../parts/Price.tsx'
import { useStatusLabels } from '../../parts/status.ts'
import { classes } from '../../ui/classes.ts'
import css from './OwnCard.module.css'
import { OwnActions } from './OwnActions.tsx'
import { PriceEdit } from './PriceEdit.tsx'
import type { Sending } from './sending.ts'
import { useCost } from '../../locales/cost.ts'
import { whyWaiting } from '../../locales/problems.ts'
import { CorrectLink, WifiChoice } from '../../parts/Unsent.tsx'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

export function OwnCard({
  listing,
  sending: { waits, refused, cover },
}: {
  listing: OwnListingDocument
  sending: Sending
}) {
  /** Not on the server yet: no page to open, no actions. */
  const unsent = listing.id === listing.client_id
  return (
    <article data-listing={listing.id} className={css.card}>
      <div className={css.top}>
        {unsent && cover === null && !listing.cover ? (
          <UnsentCover listing={listing} />
        ) : (
          <Cover listing={listing} stored={cover} />
        )}
        <div>
          <h2 dir="auto" className={css.title}>
            {unsent ? (
              listing.title
            ) : (
              <Link to="/listings/$listingId" params={{ listingId: listing.id }}>
                {listing.title}
              </Link>
            )}
          </h2>
          {unsent || listing.status === 'rejected' ? (
            <p className={css.price}>
              <Price price={listing.price} category={listing.category} />
            </p>
          ) : (
            <PriceEdit listing={listing} />
          )}
          <Labels listing={listing} unsent={unsent} waiting={waits} />
        </div>
      </div>
      {refused && <Refusal entry={refused} />}
      {unsent && <Unsent draft={listing.id} />}
      {!unsent && (
        <>
          <Numbers listing={listing} />
          {listing.status === 'rejected' && listing.review_reason !== null && (
            <p className={css.reason}>
              <Trans>Raison du refus :</Trans> <span dir="auto">{listing.review_reason}</span>
            </p>
          )}
          <OwnActions listing={listing} />
        </>
      )}
    </article>
  )
}

function UnsentCover({ listing }: { listing: OwnListingDocument }) {
  const draft = useLiveQuery('listing.drafts', {}).rows.find(({ id }) => id === listing.id)
  return <Cover listing={listing} stored={draft?.photos[0] ?? null} />
}

function Cover({ listing, stored }: { listing: OwnListingDocument; stored: string | null }) {
  return stored !== null ? (
    <StoredPhoto id={stored} alt="" className={css.photo} />
  ) : (
    <Picture
      image={listing.cover}
      alt=""
      category={listing.category}
      sizes="96px"
      widest={320}
      className={css.photo}
    />
  )
}

function Labels({
  listing,
  unsent,
  waiting,
}: {
  listing: OwnListingDocument
  unsent: boolean
  waiting: boolean
}) {
  const { t } = useLingui()
  const word = useStatusLabels()[listing.status] ?? t`En ligne`
  return (
    <p className={css.labels}>
      {!unsent && (
        <span
          className={classes(
            css.label,
            listing.status === 'active' && css.good,
            listing.status === 'rejected' && css.bad,
          )}
        >
          {word}
        </span>
      )}
      {isOpen(listing) && listing.is_featured && (
        <span className={classes(css.label, css.featured)}>{t`À la une`}</span>
      )}
      {waiting && (
        <Link to="/outbox" className={classes(css.label, css.wait)}>
          <Clock />
          {t`En attente d’envoi`}
        </Link>
      )}
    </p>
  )
}

const isOpen = ({ status }: OwnListingDocument) => status === 'active' || status === 'reserved'

function Numbers({ listing }: { listing: OwnListingDocument }) {
  const { day } = useFormat()
  const end = isOpen(listing) ? listing.expires_at : null
  const until = end === null ? null : day(Date.parse(end))
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

function Unsent({ draft }: { draft: string }) {
  const translate = useTranslate()
  const cost = useCost()
  const entry = useLiveQuery('outbox.entries', {}).rows.find(
    ({ id, state }) =>
      id === draft && (state === 'waiting' || state === 'sending' || state === 'signed-out'),
  )
  if (!entry) return null
  return (
    <>
      <p className={css.numbers}>
        <span>{cost(entry.bytes)}</span>
        <span>{translate(whyWaiting(entry))}</span>
      </p>
      <WifiChoice entry={entry} />
    </>
  )
}

/** [S8.13, S8.14]. */
function Refusal({ entry }: { entry: Entry }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const code = entry.problem?.code
  return (
    <Notice
      tone="danger"
      live="alert"
      action={
        entry.name === 'listing.publish' || entry.name === 'listing.edit' ? (
          <CorrectLink entry={entry} />
        ) : (
          <Button onClick={() => void ask('outbox.remove', { id: entry.id })}>{t`Compris`}</Button>
        )
      }
    >
      <strong>
        {entry.name === 'listing.publish'
          ? t`Annonce pas encore publiée`
          : code === 'edit_conflict'
            ? t`Modifiée aussi ailleurs`
            : t`Changement non enregistré`}
      </strong>
      <p>{translate(whyWaiting(entry))}</p>
      {code === 'listing_limit' && (
        <p>{t`Archivez ou supprimez une annonce, puis publiez de nouveau. Celle-ci reste ici.`}</p>
      )}
    </Notice>
  )
}
