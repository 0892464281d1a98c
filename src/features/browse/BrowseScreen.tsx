import { Trans, useLingui } from '@lingui/react/macro'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Facts, Status } from '#schema/port/question'
import { useScreen } from '../../app/screen.ts'
import { refresh } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useTranslate } from '../../locales/translate.ts'
import { categoryOf } from '../../parts/categories.ts'
import { NoResult } from '../../parts/drawings/firstDrawings.tsx'
import { GrowingList, ListSkeleton } from '../../parts/GrowingList.tsx'
import { useReach } from '../../parts/reach.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { type Address, filtersOf } from './filterParams.ts'
import css from './BrowseScreen.module.css'
import { FilterBar } from './FilterBar.tsx'

/** [S2.36]: in the server's order as far as it is covered, then local rows. */
export function BrowseScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const filters = filtersOf(search)
  const key = JSON.stringify(filters)
  const category = categoryOf(filters['category'] ?? '')
  const title = filters['search'] ?? translate(category?.name) ?? t`Annonces`
  return (
    <div className={css.browse}>
      <h1 className={css.title}>
        {filters['search'] === undefined ? title : t`« ${title} »`}
        {filters['search'] !== undefined && category && ` · ${translate(category.name)}`}
      </h1>
      <FilterBar
        filters={filters}
        onChange={(next) => void navigate({ to: '/listings', search: { ...next } })}
      />
      <List key={key} filters={filters} title={title} />
    </div>
  )
}

function List({ filters, title }: { filters: Address; title: string }) {
  const reach = useReach()
  const params = { filters, limit: reach.limit, from: reach.reading }
  const live = useLiveQuery('listings.browse', params)
  const { rows, facts, status } = live
  const settled = facts !== null && (rows.length > 0 || status !== 'loading')
  useScreen(title, settled)

  if (!settled) return <ListSkeleton count={6} />
  const retry = (): void => refresh('listings.browse', params)
  if (rows.length === 0)
    return <Nothing filters={filters} facts={facts} status={status} onRetry={retry} />
  return <GrowingList live={live} facts={facts} reach={reach} onRetry={retry} />
}

function Nothing({
  filters,
  facts,
  status,
  onRetry,
}: {
  filters: Address
  facts: Facts<'listings.browse'>
  status: Status
  onRetry: () => void
}) {
  const { t } = useLingui()
  const offline = facts.coverage === 'phone' && status === 'offline'
  // [S8.12]: only the server can confirm that a list is empty.
  const failed = facts.coverage === 'phone' && facts.problem === null && status === 'stale'
  const wrong = facts.problem !== null && !offline
  return (
    <div data-coverage={facts.coverage}>
      <Empty
        drawing={<NoResult />}
        alert={wrong || failed}
        text={
          failed ? (
            t`Impossible de charger les annonces`
          ) : wrong ? (
            t`Un de ces filtres n’a pas pu être lu. Retirez-le et réessayez.`
          ) : offline ? (
            t`Rien d’enregistré ne correspond. La recherche reprendra avec le réseau.`
          ) : (
            <Trans>
              Aucune annonce ne correspond. Élargissez la zone ou enregistrez la recherche pour être
              prévenu.
            </Trans>
          )
        }
        action={
          failed ? (
            <Button kind="main" onClick={onRetry}>
              {t`Réessayer`}
            </Button>
          ) : (
            Object.keys(filters).length > 0 && (
              <ButtonLink to="/listings" search={{}} kind="main">
                {t`Voir toutes les annonces`}
              </ButtonLink>
            )
          )
        }
      />
    </div>
  )
}
