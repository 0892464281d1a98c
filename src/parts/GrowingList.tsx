import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { ArrowUp } from 'lucide-react'
import type { ListingDocument } from '#schema/disk/documents'
import type { ListFacts } from '#schema/port/question'
import type { Live } from '../data/live.ts'
import { useFormat } from '../locales/format.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import css from './GrowingList.module.css'
import { GridSkeleton, ListingGrid } from './ListingGrid.tsx'
import { type Pagination, useEnd, useSteps } from './pagination.ts'
import { useView } from './view.ts'
import { Aged } from './When.tsx'

const EAGER = 4
const IN_VIEWPORT = 6

interface Props {
  live: Pick<Live, 'status' | 'since'> & { readonly rows: readonly ListingDocument[] }
  facts: ListFacts
  pagination: Pagination
  onRetry: () => void
}

export function GrowingList({ live, facts, pagination, onRetry }: Props) {
  const { t } = useLingui()
  const [view] = useView()
  const known = live.rows
  const { limit, more, anew } = pagination
  const rows = known.slice(0, useSteps(known.length))
  const end = useEnd(
    facts.more && rows.length === known.length && rows.length >= Math.min(limit, facts.covered),
    rows.length,
    more,
  )
  const covered = facts.coverage === 'phone' ? 0 : Math.min(facts.covered, rows.length)
  return (
    <div data-coverage={facts.coverage} className="section">
      {facts.coverage !== 'phone' && <Aged live={live} className={css.count} />}
      {facts.waiting > 0 && (
        <button type="button" className={css.pill} onClick={anew}>
          <Plural value={facts.waiting} one="# nouvelle annonce" other="# nouvelles annonces" />
        </button>
      )}
      {facts.coverage === 'partial' ? (
        <>
          <ListingGrid
            rows={rows.slice(0, covered)}
            view={view}
            eager={EAGER}
            viewport={IN_VIEWPORT}
          />
          <div data-gap="" className={css.gap}>
            <Notice
              tone="wait"
              action={<Button kind="quiet" onClick={onRetry}>{t`Réessayer`}</Button>}
            >
              <Trans>
                La suite de la liste viendra avec le réseau. Plus bas : d’autres annonces
                enregistrées sur ce téléphone.
              </Trans>
            </Notice>
          </div>
          <ListingGrid rows={rows.slice(covered)} view={view} />
        </>
      ) : (
        <ListingGrid rows={rows} view={view} eager={EAGER} viewport={IN_VIEWPORT} />
      )}
      {facts.more && (
        <div ref={end} className={css.more}>
          {more ? (
            <Button wide onClick={more}>{t`Afficher plus`}</Button>
          ) : (
            known.length >= limit && (
              <p>{t`Cette liste s’arrête ici. Filtrez-la pour voir d’autres annonces.`}</p>
            )
          )}
        </div>
      )}
      <IconButton
        label={t`Revenir en haut`}
        icon={ArrowUp}
        className={css.top}
        onClick={() => scrollTo({ top: 0 })}
      />
    </div>
  )
}

export function ListSkeleton({ count }: { count: number }) {
  const [view] = useView()
  return <GridSkeleton count={count} view={view} />
}

/** The cards' headings are one level below it. */
export function ListCount({ facts, rows }: { facts: ListFacts | null; rows: number }) {
  const { t } = useLingui()
  const { number, some, countText } = useFormat()
  if (facts?.coverage === 'phone') {
    const held = facts.count ?? rows
    const shown = number(held)
    return (
      <h2 className={css.count}>
        {some(held, t`${shown} annonce sur ce téléphone`, t`${shown} annonces sur ce téléphone`)}
      </h2>
    )
  }
  const count = facts?.count ?? null
  const shown = countText(count ?? 0, facts?.countIsExact)
  const Count = count === null ? 'p' : 'h2'
  return (
    <Count className={css.count}>
      {/* Not Lingui's plural: it creates the browser's number formatter, 100 ms on a slow phone. */}
      {count !== null && some(count, t`${shown} annonce`, t`${shown} annonces`)}
    </Count>
  )
}
