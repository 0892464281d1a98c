import { useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Facts, Status } from '#schema/port/question'
import { useScreen } from '../../app/screen.ts'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useTranslate } from '../../locales/format.ts'
import { categoryOf } from '../../parts/categories.ts'
import { CategoryTiles } from '../../parts/CategoryTiles.tsx'
import { NoResult as NoResultDrawing } from '../../parts/drawings/lazyDrawings.tsx'
import { GrowingList, ListCount, ListSkeleton } from '../../parts/GrowingList.tsx'
import { usePagination } from '../../parts/pagination.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { lazyNamed, lazyOptional } from '../../ui/lazy.tsx'
import { useMedia } from '../../ui/media.ts'
import { type Address, filtersOf } from './filterParams.ts'
import css from './BrowseScreen.module.css'
import { FilterBar } from './FilterBar.tsx'

const FilterColumn = lazyOptional(() => import('./FilterColumn.tsx'), 'FilterColumn')
const NoResult = lazyNamed(() => import('./NoResult.tsx'), 'NoResult', <ListSkeleton count={6} />)
const SaveSearch = lazyOptional(() => import('../saved/SaveSearch.tsx'), 'SaveSearch')
const SpellingNote = lazyOptional(() => import('./SpellingNote.tsx'), 'SpellingNote')

/** Up to here another spelling is offered [S13.51]. */
const FEW = 3

/** [S2.36]: in the server's order where covered, then local rows. */
export function BrowseScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const filters = filtersOf(search)
  const key = JSON.stringify(filters)
  const { typed } = search
  const pagination = usePagination(key)
  const params = { filters, limit: pagination.limit, from: pagination.reading }
  const live = useLiveQuery('listings.browse', params)
  const { rows, facts, status } = live
  const settled = facts !== null && (rows.length > 0 || status !== 'loading')
  const category = categoryOf(filters['category'] ?? '')
  const word = filters['search']
  const title = word ?? translate(category?.name) ?? t`Annonces`
  const wide = useMedia('(min-width: 1024px)')
  useScreen(title, settled)
  const retry = () => refresh('listings.browse', params)
  const change = (next: Address) => void navigate({ to: '/listings', search: { ...next } })
  const spelling =
    word !== undefined && (typed !== undefined || (settled && rows.length <= FEW && !facts.problem))
  return (
    <div className={css.browse}>
      <Suspense>
        {word === undefined && filters['category'] === undefined && <CategoryTiles all />}
      </Suspense>
      <div className={css.top}>
        <div className="headline">
          <div className={css.titles}>
            <h1 className={css.title}>{word === undefined ? title : t`« ${title} »`}</h1>
            <ListCount facts={settled ? facts : null} rows={rows.length} />
          </div>
          {Object.keys(filters).length > 0 && <SaveSearch key={key} filters={filters} />}
        </div>
        <FilterBar filters={filters} onChange={change} />
      </div>
      <div className={css.side}>{wide && <FilterColumn filters={filters} onChange={change} />}</div>
      <div className={css.results}>
        {spelling && (
          <SpellingNote key={key} filters={filters} typed={typed} none={rows.length === 0} />
        )}
        {!settled ? (
          <ListSkeleton count={6} />
        ) : rows.length > 0 ? (
          <GrowingList
            key={key}
            live={live}
            facts={facts}
            pagination={pagination}
            onRetry={retry}
          />
        ) : (
          <div data-coverage={facts.coverage}>
            {facts.coverage === 'phone' || facts.problem !== null ? (
              <Unknown facts={facts} status={status} onRetry={retry} />
            ) : (
              <NoResult key={key} filters={filters} exact={typed === word} onChange={change} />
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** [S8.12]: only the server can confirm that a list is empty. */
function Unknown({
  facts: { problem },
  status,
  onRetry,
}: {
  facts: Facts<'listings.browse'>
  status: Status
  onRetry: () => void
}) {
  const { t } = useLingui()
  const offline = status === 'offline'
  const failed = !offline && problem === null
  return (
    <Empty
      drawing={<NoResultDrawing />}
      alert={!offline}
      text={
        offline
          ? t`Rien d’enregistré ne correspond. La recherche reprendra avec le réseau.`
          : failed
            ? t`Impossible de charger les annonces`
            : t`Un de ces filtres n’a pas pu être lu. Retirez-le et réessayez.`
      }
      onRetry={failed ? onRetry : undefined}
      action={
        !failed && (
          <ButtonLink to="/listings" search={{}} kind="main">
            {t`Voir toutes les annonces`}
          </ButtonLink>
        )
      }
    />
  )
}
