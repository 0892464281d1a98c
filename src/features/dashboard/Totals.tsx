import { Trans } from '@lingui/react/macro'
import type { OwnTotals } from '#schema/wire/own'
import { useFormat } from '../../locales/format.ts'
import css from './Totals.module.css'

/** What came of all own listings (API.md 9.7). */
export function Totals({ totals }: { totals: OwnTotals }) {
  const { number } = useFormat()
  return (
    <dl className={css.totals}>
      <div>
        <dt>
          <Trans>Vues aujourd’hui</Trans>
        </dt>
        <dd>{number(totals.views_today)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Vues en tout</Trans>
        </dt>
        <dd>{number(totals.views_total)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Contacts</Trans>
        </dt>
        <dd>{number(totals.contacts_total)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Vendues</Trans>
        </dt>
        <dd>{number(totals.sold)}</dd>
      </div>
    </dl>
  )
}
