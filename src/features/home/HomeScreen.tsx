'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Params } from '#schema/port/question'
import { useScreen } from '../../app/screen.ts'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useSession } from '../../data/session.ts'
import { CategoryTiles } from '../../parts/CategoryTiles.tsx'
import { GridSkeleton, ListingGrid, ListingRow } from '../../parts/ListingGrid.tsx'
import { Offline } from '../../parts/drawings/lazyDrawings.tsx'
import { Aged } from '../../parts/When.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { InstallBanner } from '../install/InstallBanner.tsx'
import css from './HomeScreen.module.css'
import { lazyNamed } from '../../ui/lazy.tsx'

const About = lazyNamed(() => import('./About.tsx'), 'About')

const ROW = 10
const RECENT = { type: 'recent', limit: 12 } as const

/** [S2.33]. */
export function HomeScreen() {
  const { t } = useLingui()
  const { token } = useSession()
  const recent = useLiveQuery('listings.recommended', RECENT)
  const known = recent.rows.length > 0
  /** Offline, or the server fails [S8.12]. */
  const failed = recent.status === 'stale' && recent.since === null
  const nothing = !known && (failed || recent.status === 'offline')
  const empty = !known && !nothing && recent.since !== null && recent.status !== 'loading'
  useScreen('', known || nothing || empty)
  return (
    <div className={css.home}>
      <section className={css.hero}>
        <h1>{t`Achetez et vendez près de chez vous, même sans réseau.`}</h1>
        <CategoryTiles />
      </section>
      {nothing ? (
        <Empty
          drawing={<Offline />}
          alert={failed}
          text={
            failed ? (
              t`Impossible de charger les annonces`
            ) : (
              <Trans>
                Pas de connexion et rien d’enregistré pour le moment. Revenez une fois avec du
                réseau.
              </Trans>
            )
          }
          onRetry={() => refresh('listings.recommended', RECENT)}
        />
      ) : (
        <>
          <Part title={t`Annonces récentes`} more={{}}>
            <Aged live={recent} className={css.aged} />
            {known ? (
              <ListingGrid rows={recent.rows} eager={4} viewport={4} />
            ) : empty ? (
              <p>{t`Aucune annonce pour le moment.`}</p>
            ) : (
              <GridSkeleton count={6} />
            )}
          </Part>
          <Row type="featured" title={t`À la une`} more={{ is_featured: 'true' }} />
          {/* Appears late: below the first screen it shifts nothing. */}
          <InstallBanner />
          <Row
            type="trending"
            id="trending"
            title={t`Tendances`}
            more={{ ordering: '-views_total' }}
          />
          {token !== null && <Row type="followed" title={t`Nouveautés des vendeurs suivis`} />}
          <Row type="for_you" title={t`Recommandé pour vous`} />
        </>
      )}
      <About />
    </div>
  )
}

function Row({
  type,
  ...part
}: Omit<PartProps, 'children'> & { type: Params<'listings.recommended'>['type'] }) {
  const { rows, status } = useLiveQuery('listings.recommended', { type, limit: ROW })
  if (rows.length === 0 && status !== 'loading') return null
  return (
    <Part {...part}>
      {rows.length > 0 ? <ListingRow rows={rows} /> : <GridSkeleton count={3} row />}
    </Part>
  )
}

interface PartProps {
  title: string
  id?: string
  more?: Record<string, string>
  children: ReactNode
}

function Part({ title, id, more, children }: PartProps) {
  return (
    <section id={id} aria-label={title}>
      <header className={css.head}>
        <h2>{title}</h2>
        {more && (
          <Link to="/listings" search={more} className={css.more}>
            <Trans>Tout voir</Trans>
          </Link>
        )}
      </header>
      {children}
    </section>
  )
}
