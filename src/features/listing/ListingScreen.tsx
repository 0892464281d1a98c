import { useLingui } from '@lingui/react/macro'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { ListingDocument } from '#schema/disk/documents'
import { VIEWPORT_END } from '#schema/viewport'
import { useScreen } from '../../app/screen.ts'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useFormat } from '../../locales/format.ts'
import { send } from '../../data/send.ts'
import { NotFound, Offline } from '../../parts/drawings/firstDrawings.tsx'
import { ListingGrid, ListingRow } from '../../parts/ListingGrid.tsx'
import { Price } from '../../parts/Price.tsx'
import { useStatusLabels } from '../../parts/status.ts'
import { Aged, When } from '../../parts/When.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Contact } from './Contact.tsx'
import { Gallery } from './Gallery.tsx'
import css from './ListingScreen.module.css'
import { ListingLocation } from './ListingLocation.tsx'
import { Seller } from './Seller.tsx'
import { Specs } from './Specs.tsx'
import { Toolbar } from './Toolbar.tsx'
import { lazyOptional } from '../../ui/lazy.tsx'

/**
 * A quarter of the screen's bytes, and below the fold. Left out if its chunk is missing offline.
 */
const Tip = lazyOptional(() => import('./Tip.tsx'), 'Tip', <Skeleton shape="block" />)

/** [S2.37]: local data shows at once; details follow when fetched. */
export function ListingScreen(): ReactNode {
  const { listingId } = useParams({ from: '/listings/$listingId' })
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

type Live = ReturnType<typeof useLiveQuery<'listing.detail'>>
type Facts = NonNullable<Live['facts']>

function Found({ listing, facts, live }: { listing: ListingDocument; facts: Facts; live: Live }) {
  const { t } = useLingui()
  const { more } = listing
  useScreen(listing.title)
  useView(listing.id, facts.isOwner)
  return (
    <article data-listing={listing.id} className={css.screen}>
      <div className={css.main}>
        <Gallery
          images={more?.images ?? (listing.cover ? [listing.cover] : [])}
          title={listing.title}
          category={listing.category}
        />
        <header id={VIEWPORT_END} className={css.head}>
          <State listing={listing} owner={facts.isOwner} />
          <p className={css.price}>
            <Price
              price={listing.price}
              category={listing.category}
              rent={more?.specs['offer_type'] === 'rent'}
            />
            {listing.negotiable && <span className={css.negotiable}>{t`À débattre`}</span>}
          </p>
          <h1 dir="auto" className={css.title}>
            {listing.title}
          </h1>
          <p className={css.quiet}>
            <span>
              <ListingLocation listing={listing} />
            </span>
            {listing.posted_at !== null && <When at={listing.posted_at} />}
            <Views total={listing.views_total} today={listing.views_today} />
          </p>
          <Aged live={live} className={css.quiet} />
          <Toolbar listing={listing} owner={facts.isOwner} />
        </header>
        <Specs listing={listing} />
        <section className={css.part} aria-label={t`Description`}>
          <h2>{t`Description`}</h2>
          {more ? (
            <p dir="auto" className={css.description}>
              {more.description}
            </p>
          ) : (
            <Skeleton shape="block" />
          )}
        </section>
        <Tip category={listing.category} className={css.part} />
      </div>
      <aside className={css.side} aria-label={t`Vendeur et contact`}>
        <Seller listing={listing} />
        <Contact listing={listing} facts={facts} />
      </aside>
      <Beside id={listing.id} />
    </article>
  )
}

/** [S7.46]; queued offline. */
function useView(listing: string, owner: boolean): void {
  useEffect(() => {
    if (!owner) void send('listing.viewed', { listing, source: 'detail' })
  }, [listing, owner])
}

function State({ listing, owner }: { listing: ListingDocument; owner: boolean }) {
  const { t } = useLingui()
  const labels = useStatusLabels()
  const state = labels[listing.status]
  if (state === undefined && !owner && !listing.is_featured) return null
  return (
    <p className={css.labels}>
      {owner && <span className={css.label}>{t`Votre annonce`}</span>}
      {state !== undefined && <span className={css.label}>{state}</span>}
      {listing.is_featured && <span className={css.featured}>{t`À la une`}</span>}
    </p>
  )
}

/** Not Lingui's plural, which creates the browser's number formatter before the first render. */
function Views({ total, today }: { total: number; today: number }) {
  const { t } = useLingui()
  const { number } = useFormat()
  const [all, now] = [number(total), number(today)]
  if (total === 0) return <span>{t`Aucune vue`}</span>
  if (total === 1) return <span>{today > 0 ? t`1 vue aujourd’hui` : t`1 vue`}</span>
  return <span>{today > 0 ? t`${all} vues, dont ${now} aujourd’hui` : t`${all} vues`}</span>
}

function Beside({ id }: { id: string }) {
  const { t } = useLingui()
  const similar = useLiveQuery('listings.similar', { id })
  const related = useLiveQuery('listings.related', { id })
  return (
    <div className={css.beside}>
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
        <p className={css.quiet}>
          {t`Impossible de charger les annonces proches.`}{' '}
          <Button kind="quiet" onClick={() => refresh('listings.related', { id })}>
            {t`Réessayer`}
          </Button>
        </p>
      )}
    </div>
  )
}

/** gone: the server does not have it · failed: online, but no answer [S8.12]. */
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
      <div className={css.main}>
        <Skeleton shape="photo" className={css.ghost} />
        <div className={css.head}>
          <Skeleton shape="title" />
          <Skeleton />
          <Skeleton />
        </div>
      </div>
    </div>
  )
}
