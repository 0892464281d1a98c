import { useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { useScreen } from '../../app/screen.ts'
import { refresh, send } from '../../data/ask.ts'
import type { Live } from '../../data/live.ts'
import { useLiveQuery } from '../../data/read.ts'
import { NotFound, Offline } from '../../parts/drawings/lazyDrawings.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { lazyNamed, lazyOptional } from '../../ui/lazy.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Contact } from './Contact.tsx'
import { Description, Place } from './Part.tsx'
import { Gallery } from './Gallery.tsx'
import { Head, Seller, SellerDetails } from './Head.tsx'
import css from './ListingScreen.module.css'
import { usePhotoTransition } from './photoTransition.ts'
import { KeySpecs, Specs } from './Specs.tsx'
import { Tools } from './Tools.tsx'
import { Flag } from 'lucide-react'
import { ListingGrid, ListingRow } from '../../parts/ListingGrid.tsx'

/** A quarter of the screen's bytes, below the fold; left out if missing offline. */
const Tip = lazyOptional(() => import('./Tip.tsx'), 'Tip', <Skeleton shape="block" />)

/** [S2.37]: local data shows at once; details follow when fetched. */
export function ListingScreen(): ReactNode {
  const { listingId } = useParams({ from: '/listings/$listingId' })
  usePhotoTransition()
  const live = useLiveQuery('listing.detail', { id: listingId })
  const { rows, facts, status, since } = live
  const [listing] = rows
  if (listing && facts)
    return <Found key={listing.id} listing={listing} facts={facts} live={live} />
  const why =
    facts?.problem != null
      ? 'gone'
      : status === 'offline'
        ? 'offline'
        : status === 'stale' && since === null && 'failed'
  return why === false ? <Coming /> : <Nothing key={why} id={listingId} why={why} />
}

type Detail = Live<'listing.detail'>

function Found({
  listing,
  facts,
  live,
}: {
  listing: ListingDocument
  facts: NonNullable<Detail['facts']>
  live: Detail
}) {
  const { t } = useLingui()
  const { more } = listing
  useScreen(listing.title)
  useView(listing.id, facts.isOwner)
  return (
    <article data-listing={listing.id} className={css.screen}>
      <Tools listing={listing} />
      <Gallery
        images={more?.images ?? (listing.cover ? [listing.cover] : [])}
        title={listing.title}
        category={listing.category}
      />
      <div className={css.side}>
        <Head listing={listing} owner={facts.isOwner} live={live} />
        <aside aria-label={t`Vendeur et contact`}>
          <Seller listing={listing} />
          <KeySpecs listing={listing} />
          <Contact listing={listing} facts={facts} />
        </aside>
      </div>
      <div className={css.main}>
        <Description text={more?.description} />
        <Specs listing={listing} />
        <Place listing={listing} />
        <SellerDetails listing={listing} />
        <Tip category={listing.category} />
        {!facts.isOwner && <Report listing={listing.id} />}
      </div>
      <Similar id={listing.id} />
    </article>
  )
}

/** [S7.46]; queued offline. */
function useView(listing: string, owner: boolean) {
  useEffect(() => {
    if (!owner) void send('listing.viewed', { listing, source: 'detail' })
  }, [listing, owner])
}

/** failed: online, but no answer [S8.12]. */
function Nothing({ id, why }: { id: string; why: 'gone' | 'offline' | 'failed' }) {
  const { t } = useLingui()
  const gone = why === 'gone'
  const title = gone ? t`Annonce introuvable.` : t`Annonce`
  useScreen(title)
  return (
    <Empty
      drawing={why === 'offline' ? <Offline /> : <NotFound />}
      alert={why === 'failed'}
      heading="h1"
      title={why === 'offline' ? t`Pas encore sur ce téléphone` : title}
      text={
        gone
          ? t`Elle a peut-être été vendue ou retirée par son vendeur.`
          : why === 'failed'
            ? t`Impossible de charger l’annonce. Elle n’existe peut-être plus.`
            : t`Cette annonce n’a jamais été ouverte ici. Elle s’affichera au retour du réseau.`
      }
      onRetry={gone ? undefined : () => refresh('listing.detail', { id })}
      action={
        gone && (
          <ButtonLink to="/listings" kind="main">
            {t`Voir les annonces`}
          </ButtonLink>
        )
      }
    />
  )
}

function Coming() {
  const { t } = useLingui()
  useScreen(t`Annonce`, false)
  return (
    <div className={css.screen} aria-busy="true">
      <Tools listing={null} />
      <h1 className="unseen">{t`Annonce`}</h1>
      <Skeleton shape="photo" className={css.ghost} />
      <div className={css.side}>
        <Skeleton shape="title" />
        <Skeleton />
        <Skeleton />
      </div>
    </div>
  )
}

const ReportDialog = lazyNamed(() => import('../report/ReportDialog.tsx'), 'ReportDialog')

function Report({ listing }: { listing: string }) {
  const { t } = useLingui()
  const [open, setOpen] = useState(false)
  return (
    <div className="ends">
      <Button kind="quiet" icon={Flag} onClick={() => setOpen(true)}>
        {t`Signaler`}
      </Button>
      {open && <ReportDialog open onClose={() => setOpen(false)} listing={listing} />}
    </div>
  )
}

function Similar({ id }: { id: string }) {
  const { t } = useLingui()
  const similar = useLiveQuery('listings.similar', { id })
  const related = useLiveQuery('listings.related', { id })
  return (
    <div className={css.similar}>
      {similar.rows.length > 0 && (
        <section>
          <h2>{t`Annonces similaires`}</h2>
          <ListingRow rows={similar.rows} />
        </section>
      )}
      {related.rows.length > 0 && (
        <section>
          <h2>{t`Dans la même catégorie`}</h2>
          <ListingGrid rows={related.rows} />
        </section>
      )}
      {related.facts?.problem != null && related.rows.length === 0 && (
        <p className="quiet">
          {t`Impossible de charger les annonces proches.`}{' '}
          <Button kind="quiet" onClick={() => refresh('listings.related', { id })}>
            {t`Réessayer`}
          </Button>
        </p>
      )}
    </div>
  )
}
