import { useLingui } from '@lingui/react/macro'
import type { OwnTotals } from '#schema/wire/own'
import { useFormat } from '../../locales/format.ts'
import css from './Totals.module.css'

/** [API 9.7]. As high while loading: no layout shift. */
export function Totals({ totals }: { totals: OwnTotals | null }) {
  const { t } = useLingui()
  const { number } = useFormat()
  const rows: readonly (readonly [string, number | undefined])[] = [
    [t`Vues aujourd’hui`, totals?.views_today],
    [t`Vues en tout`, totals?.views_total],
    [t`Contacts`, totals?.contacts_total],
    [t`Vendues`, totals?.sold],
  ]
  return (
    <dl className={css.totals}>
      {rows.map(([name, count]) => (
        <div key={name}>
          <dt className="quiet">{name}</dt>
          <dd>{count === undefined ? '–' : number(count)}</dd>
        </div>
      ))}
    </dl>
  )
}
