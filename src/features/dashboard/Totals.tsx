import { useLingui } from '@lingui/react/macro'
import type { OwnTotals } from '#schema/wire/own'
import { useFormat } from '../../locales/format.ts'
import css from './Totals.module.css'

/** [API 9.7]. Reserves its height while loading, to avoid a layout shift. */
export function Totals({ totals }: { totals: OwnTotals | null }) {
  const { t } = useLingui()
  const { number } = useFormat()
  const shown = (count: number | undefined): string => (count === undefined ? '–' : number(count))
  return (
    <dl className={css.totals}>
      <div>
        <dt>{t`Vues aujourd’hui`}</dt>
        <dd>{shown(totals?.views_today)}</dd>
      </div>
      <div>
        <dt>{t`Vues en tout`}</dt>
        <dd>{shown(totals?.views_total)}</dd>
      </div>
      <div>
        <dt>{t`Contacts`}</dt>
        <dd>{shown(totals?.contacts_total)}</dd>
      </div>
      <div>
        <dt>{t`Vendues`}</dt>
        <dd>{shown(totals?.sold)}</dd>
      </div>
    </dl>
  )
}
