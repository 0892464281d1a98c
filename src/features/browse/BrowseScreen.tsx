import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import ArrowUp from 'lucide-react/icons/arrow-up'
import SearchX from 'lucide-react/icons/search-x'
import { useEffect, useRef, useState } from 'react'
import { PAGE_SIZE } from '#schema/limits'
import type { Facts, Status } from '#schema/port/question'
import { useScreen } from '../../app/screen.ts'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { keep, stored } from '../../data/session.ts'
import { useSay } from '../../locales/say.ts'
import { categoryOf } from '../../parts/categories.ts'
import type { CardView } from '../../parts/ListingCard.tsx'
import { GridSkeleton, ListingGrid } from '../../parts/ListingGrid.tsx'
import { When } from '../../parts/When.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { type Address, filtersOf } from './address.ts'
import css from './BrowseScreen.module.css'
import { FilterBar } from './FilterBar.tsx'

const VIEW = 'listings_view'
/** Rows that stand on the first screen of a phone. */
const EAGER = 4

/** S2.36: the list that the address asks for, in the server's order as far as it is covered, then what the phone itself has. */
export function BrowseScreen() {
  const { t } = useLingui()
  const say = useSay()
  const search = useSearch({ strict: false })
  const filters = filtersOf(search)
  const key = JSON.stringify(filters)
  const [view, setView] = useView()
  const category = categoryOf(filters['category'] ?? '')
  const title = filters['search'] ?? say(category?.name) ?? t`Annonces`
  return (
    <div className={css.browse}>
      <h1 className={css.title}>{filters['search'] === undefined ? title : t`« ${title} »`}</h1>
      <FilterBar filters={filters} view={view} onView={setView} />
      <List key={key} filters={filters} view={view} title={title} />
    </div>
  )
}

/** Grid or compact, as chosen last. */
function useView(): readonly [CardView, (view: CardView) => void] {
  const [view, setView] = useState<CardView>(() => (stored(VIEW) === 'compact' ? 'compact' : 'grid'))
  return [
    view,
    (next) => {
      keep('local', VIEW, next)
      setView(next)
    },
  ]
}

function List({ filters, view, title }: { filters: Address; view: CardView; title: string }) {
  const { t } = useLingui()
  const { limit, reading, more, anew } = useReach()
  const { rows, facts, status, since } = useLiveQuery('listings.browse', { filters, limit, from: reading })
  const settled = facts !== null && (rows.length > 0 || status !== 'loading')
  useScreen(title, settled)
  const end = useEnd(facts?.more === true && rows.length >= Math.min(limit, facts.covered), more)

  if (!settled) return <GridSkeleton count={6} view={view} />
  if (rows.length === 0) return <Nothing filters={filters} facts={facts} status={status} />
  const covered = facts.coverage === 'phone' ? 0 : Math.min(facts.covered, rows.length)
  return (
    <div data-coverage={facts.coverage} className={css.list}>
      <Heading facts={facts} status={status} since={since} rows={rows.length} />
      {facts.waiting > 0 && (
        <button type="button" className={css.pill} onClick={anew}>
          <Plural value={facts.waiting} one="# nouvelle annonce" other="# nouvelles annonces" />
        </button>
      )}
      {facts.coverage === 'partial' ? (
        <>
          <ListingGrid rows={rows.slice(0, covered)} view={view} eager={EAGER} />
          <div data-gap="" className={css.gap}>
            <Notice tone="wait" action={<Button kind="quiet" onClick={() => refresh('listings.browse', { filters, limit, from: reading })}>{t`Réessayer`}</Button>}>
              <Trans>La suite de la liste viendra avec le réseau. Plus bas : d’autres annonces enregistrées sur ce téléphone.</Trans>
            </Notice>
          </div>
          <ListingGrid rows={rows.slice(covered)} view={view} />
        </>
      ) : (
        <ListingGrid rows={rows} view={view} eager={EAGER} />
      )}
      {facts.more && (
        <div ref={end} className={css.more}>
          <Button wide onClick={more}>
            <Trans>Afficher plus</Trans>
          </Button>
        </div>
      )}
      <IconButton label={t`Revenir en haut`} icon={ArrowUp} className={css.top} onClick={() => scrollTo({ top: 0 })} />
    </div>
  )
}

let read = false
/** The first list of a page has a name that the next start knows (first.ts); each later one is a reading of its own. */
function nextReading(): number {
  const name = read ? Date.now() : 0
  read = true
  return name
}

/** How far the list is shown: kept in the history, so that going back finds it as it was left. */
function useReach() {
  const router = useRouter()
  const navigate = useNavigate()
  const state = router.history.location.state
  const [limit, setLimit] = useState(() => Math.max(PAGE_SIZE, state.rows ?? 0))
  const [reading, setReading] = useState(() => state.reading ?? nextReading())

  function keepInHistory(rows: number, from: number): void {
    void navigate({ to: '.', search: true, replace: true, resetScroll: false, state: (old) => ({ ...old, rows, reading: from }) })
  }

  return {
    limit,
    reading,
    more() {
      setLimit(limit + PAGE_SIZE)
      keepInHistory(limit + PAGE_SIZE, reading)
    },
    /** Shows the rows that waited, from the top. */
    anew() {
      const now = Date.now()
      setReading(now)
      keepInHistory(limit, now)
      scrollTo({ top: 0 })
    },
  }
}

/** Asks for more a screen before the end is reached; once each time the rows have come. */
function useEnd(ready: boolean, more: () => void) {
  const end = useRef<HTMLDivElement>(null)
  const ask = useRef(more)
  useEffect(() => {
    ask.current = more
  })
  useEffect(() => {
    const mark = end.current
    if (!ready || mark === null) return undefined
    const watch = new IntersectionObserver(([seen]) => seen?.isIntersecting === true && ask.current(), { rootMargin: '800px' })
    watch.observe(mark)
    return () => watch.disconnect()
  }, [ready])
  return end
}

function Heading({ facts, status, since, rows }: { facts: Facts<'listings.browse'>; status: Status; since: number | null; rows: number }) {
  if (facts.coverage === 'phone') {
    const held = facts.count ?? rows
    return (
      <p className={css.count}>
        <Plural value={held} one="# annonce sur ce téléphone" other="# annonces sur ce téléphone" />
      </p>
    )
  }
  return (
    <p className={css.count}>
      {facts.count !== null && <Plural value={facts.count} one="# annonce" other="# annonces" />}
      {status === 'offline' && since !== null && (
        <span>
          {' · '}
          <Trans>mis à jour</Trans> <When at={since} />
        </span>
      )}
    </p>
  )
}

function Nothing({ filters, facts, status }: { filters: Address; facts: Facts<'listings.browse'>; status: Status }) {
  const offline = facts.coverage === 'phone' && status === 'offline'
  const wrong = facts.problem !== null && !offline
  return (
    <div data-coverage={facts.coverage}>
      <Empty
        icon={SearchX}
        alert={wrong}
        text={
          wrong ? (
            <Trans>Un de ces filtres n’a pas pu être lu. Retirez-le et réessayez.</Trans>
          ) : offline ? (
            <Trans>Rien d’enregistré ne correspond. La recherche reprendra avec le réseau.</Trans>
          ) : (
            <Trans>Aucune annonce ne correspond. Élargissez la zone ou enregistrez la recherche pour être prévenu.</Trans>
          )
        }
        action={
          Object.keys(filters).length > 0 && (
            <ButtonLink to="/listings" search={{}} kind="main">
              <Trans>Voir toutes les annonces</Trans>
            </ButtonLink>
          )
        }
      />
    </div>
  )
}
