import { Trans } from '@lingui/react/macro'
import { Link, Navigate } from '@tanstack/react-router'
import { useLiveQuery } from '../../data/read.ts'
import type { Address } from './filterParams.ts'
import css from './SpellingNote.module.css'

/**
 * [S13.51]: without results, the corrected words are searched; with few, offered. `typed`: what was
 * searched before, or now on purpose.
 */
export function SpellingNote({
  filters,
  typed,
  none,
}: {
  filters: Address
  typed: string | undefined
  none: boolean
}) {
  const { search = '', category = null } = filters
  const isCorrected = typed !== undefined && typed !== search
  const { facts } = useLiveQuery('searches.suggested', {
    search: isCorrected ? '' : search,
    category,
  })
  if (isCorrected)
    return (
      <p className={css.note} role="status">
        <Trans>
          Résultats pour <b>« {search} »</b>.
        </Trans>{' '}
        <Link to="/listings" search={{ ...filters, search: typed, typed }} className="tap">
          <Trans>Chercher « {typed} »</Trans>
        </Link>
      </p>
    )
  const corrected = facts?.suggestions?.corrected
  if (!corrected) return null
  const better = { ...filters, search: corrected, typed: search }
  if (none && typed === undefined) return <Navigate to="/listings" search={better} replace />
  return (
    <p className={css.note}>
      <Trans>Vouliez-vous dire</Trans>{' '}
      <Link to="/listings" search={better} className="tap">
        <Trans>« {corrected} » ?</Trans>
      </Link>
    </p>
  )
}
