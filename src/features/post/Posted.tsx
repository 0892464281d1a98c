'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import Clock from 'lucide-react/icons/clock'
import type { ReactNode } from 'react'
import type { Entry } from '#schema/disk/entry'
import { payloadOf, type Payload } from '#schema/port/command'
import { useLiveQuery } from '../../data/read.ts'
import { whyWaiting } from '../../locales/problems.ts'
import { useCost } from '../../locales/cost.ts'
import { useTranslate } from '../../locales/translate.ts'
import Published from '../../parts/drawings/published.svg?react'
import { useStoredPhoto } from '../../parts/StoredPhoto.tsx'
import { WifiChoice } from '../../parts/Unsent.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ListingPreview } from './ListingPreview.tsx'
import css from './Posted.module.css'
import { PostedShare } from './PostedShare.tsx'
import { useLocalImage, usePreviewListing } from './previewListing.ts'
import { UploadProgress } from './UploadProgress.tsx'

/** After "Publier" [S4.01, S13.45]: what buyers will see, what happens next, and where to go. */
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
      <Head sign={<WaitingSign />} title={t`Votre annonce attend d’être envoyée`}>
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
        <Link to="/outbox">{t`Voir ce qui attend`}</Link>
      </NextSteps>
    </div>
  )
}

function Unsent({ id, payload }: { id: string; payload: Payload<'listing.publish'> }) {
  const cover = useLocalImage(useStoredPhoto(payload.photos[0]?.id ?? null))
  const listing = usePreviewListing(id, payload.fields, cover)
  return <ListingPreview listing={listing} />
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

function WaitingSign() {
  return (
    <span className={css.sign}>
      <Clock />
    </span>
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
