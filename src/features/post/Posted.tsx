'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Check, CheckCheck, Clock, MessageCircle, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Entry } from '#schema/disk/entry'
import { type Payload, payloadOf } from '#schema/port/command'
import { useLiveQuery } from '../../data/read.ts'
import { whyWaiting } from '../../locales/problems.ts'
import { useCost } from '../../locales/cost.ts'
import Published from '../../parts/drawings/published.svg?react'
import { StoredPhoto, useStoredPhoto } from '../../parts/StoredPhoto.tsx'
import { WifiChoice } from '../../parts/Unsent.tsx'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ListingPreview, useLocalImage, usePreviewListing } from './ListingPreview.tsx'
import css from './Posted.module.css'
import type { ListingDocument } from '#schema/disk/documents'
import { useFormat, useTranslate } from '../../locales/format.ts'
import { placeOf } from '../../parts/place.ts'
import { lazyNamed } from '../../ui/lazy.tsx'
import type { QueuedPhoto } from '#schema/port/ownListing'
import { Ring } from './Ring.tsx'

/** [S4.01, S13.45]. */
export function Posted({
  id,
  entry,
  draft,
}: {
  id: string
  entry: Entry | undefined
  draft: string | undefined
}) {
  const { t } = useLingui()
  if (entry && entry.state !== 'acknowledged') return <Waiting entry={entry} />
  if (draft !== undefined) {
    return (
      <Empty
        icon={Clock}
        text={t`Cette annonce n’est pas partie.`}
        action={
          <ButtonLink to="/create-listing" search={{ draft, step: 'review' }}>
            {t`Ouvrir le brouillon`}
          </ButtonLink>
        }
      />
    )
  }
  return <Sent id={id} />
}

function Waiting({ entry }: { entry: Entry }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const cost = useCost()
  const payload = payloadOf('listing.publish', entry.payload)
  return (
    <div className={css.posted}>
      <Head
        sign={
          <span className={css.sign}>
            <Clock />
          </span>
        }
        title={t`Votre annonce attend d’être envoyée`}
      >
        {translate(whyWaiting(entry))}{' '}
        <Trans>
          Elle partira d’elle-même, une seule fois ({cost(entry.bytes)}). Une notification vous dira
          quand elle est en ligne.
        </Trans>
      </Head>
      {payload && <Unsent id={entry.id} payload={payload} />}
      {payload && <UploadProgress photos={payload.photos} sending={entry.state === 'sending'} />}
      <WifiChoice entry={entry} />
      <NextSteps>
        <Link to="/outbox" className="tap">{t`Voir ce qui attend`}</Link>
      </NextSteps>
    </div>
  )
}

function Unsent({ id, payload }: { id: string; payload: Payload<'listing.publish'> }) {
  const cover = useLocalImage(useStoredPhoto(payload.photos[0]?.id ?? null))
  return <ListingPreview listing={usePreviewListing(id, payload.fields, cover)} />
}

function Sent({ id }: { id: string }) {
  const { t } = useLingui()
  const listing = useLiveQuery('listings.mine', { status: 'all' }).rows.find(
    (one) => one.client_id === id && one.id !== id,
  )
  const online = listing?.status === 'active'
  return (
    <div className={css.posted}>
      <Head sign={<Published />} title={t`Votre annonce est envoyée`}>
        {online
          ? t`Elle est en ligne : les acheteurs la voient.`
          : t`Elle est en attente de validation : une notification vous dira quand elle est en ligne.`}
      </Head>
      {listing && <ListingPreview listing={listing} />}
      {listing && <PostedShare listing={listing} online={online} />}
      <NextSteps />
    </div>
  )
}

function Head({
  sign,
  title,
  children,
}: Readonly<Record<'sign' | 'children', ReactNode>> & { title: string }) {
  return (
    <div role="status" className={css.head}>
      {sign}
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  )
}

function NextSteps({ children }: { children?: ReactNode }) {
  const { t } = useLingui()
  return (
    <div className={css.ways}>
      <ButtonLink to="/profile" search={{ tab: 'listings' }} wide>
        {t`Voir mes annonces`}
      </ButtonLink>
      <ButtonLink to="/create-listing" search={{}} kind="quiet" wide>
        {t`Publier une autre annonce`}
      </ButtonLink>
      {children}
    </div>
  )
}

const ShareDialog = lazyNamed(() => import('../../parts/ShareDialog.tsx'), 'ShareDialog')

/** WhatsApp first: most sales begin there. */
function PostedShare({ listing, online }: { listing: ListingDocument; online: boolean }) {
  const { t } = useLingui()
  const { money } = useFormat()
  const [open, setOpen] = useState(false)
  const shared = {
    title: listing.title,
    url: `${location.origin}/listings/${listing.id}`,
    strong: listing.price === null ? '' : money(listing.price),
    quiet: placeOf(listing),
    photo: listing.cover?.url ?? null,
  }
  const text = [shared.title, shared.strong, shared.url].filter((part) => part !== '').join('\n')
  return (
    <div className={css.share}>
      <ButtonAnchor
        kind="main"
        icon={MessageCircle}
        href={`https://wa.me/?text=${encodeURIComponent(text)}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t`Partager sur WhatsApp`}
      </ButtonAnchor>
      <Button icon={Share2} onClick={() => setOpen(true)}>
        {t`Partager`}
      </Button>
      {!online && <p className="quiet">{t`Le lien s’ouvrira dès que l’annonce sera validée.`}</p>}
      {open && <ShareDialog shared={shared} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** The first that is not on the server is being sent. */
function UploadProgress({ photos, sending }: { photos: readonly QueuedPhoto[]; sending: boolean }) {
  const { t } = useLingui()
  const next = photos.findIndex(({ upload }) => upload === null)
  if (photos.length === 0) return null
  return (
    <ol aria-label={t`Envoi des photos`} className={css.uploads}>
      {photos.map(({ id, upload }, at) => {
        const n = at + 1
        return (
          <li key={id} className={css.upload}>
            <StoredPhoto id={id} alt={t`Photo ${n}`} className={css.uploaded} />
            <span className={css.progress}>
              {upload !== null ? (
                <>
                  <Check />
                  <span className="unseen">{t`envoyée`}</span>
                </>
              ) : (
                <Ring
                  turning={sending && at === next}
                  label={sending && at === next ? t`envoi en cours` : t`attend`}
                />
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Unsent, or accepted and, with new text, under review again [API 5.2]. */
export function EditPosted({ entry, listing }: { entry: Entry | undefined; listing: string }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const cost = useCost()
  const [row] = useLiveQuery('listing.detail', { id: listing }).rows
  return (
    <div role="status">
      <Empty
        icon={entry ? Clock : CheckCheck}
        title={
          entry ? t`Vos changements attendent d’être envoyés` : t`Vos changements sont envoyés`
        }
        text={[
          ...(entry
            ? [
                translate(whyWaiting(entry)),
                t`Ils partiront d’eux-mêmes, une seule fois (${cost(entry.bytes)}).`,
              ]
            : [t`L’annonce est à jour.`]),
          row?.status === 'pending' &&
            t`L’annonce repasse en validation : une notification vous dira quand elle est en ligne.`,
        ]
          .filter(Boolean)
          .join(' ')}
        action={
          <span className={css.ways}>
            {entry && <Link to="/outbox" className="tap">{t`Voir ce qui attend`}</Link>}
            <ButtonLink to="/profile" search={{ tab: 'listings' }}>
              {t`Mes annonces`}
            </ButtonLink>
          </span>
        }
      />
    </div>
  )
}
