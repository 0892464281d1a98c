import { useLingui } from '@lingui/react/macro'
import { groupsOf, useFormat, useTranslate } from '../locales/format.ts'
import { categoryOf } from './categories.ts'

/** From here on a price may break between two groups of digits. */
const LONG = 1_000_000_000

/** [API 4.5] */
export function Price({
  price,
  category,
  rent = false,
}: {
  price: number | null
  category: string
  rent?: boolean
}) {
  const { t } = useLingui()
  const { money } = useFormat()
  const translate = useTranslate()
  if (price === null)
    return translate(categoryOf(category)?.absent ?? undefined) ?? t`Prix sur demande`
  // In a narrow column the unit goes to its own line.
  const amount = money(price).replace('\u00a0', ' ')
  const whole = rent || category === 'jobs' ? t`${amount} / mois` : amount
  return price < LONG
    ? whole
    : groupsOf(whole).flatMap((group, at) => (at === 0 ? [group] : [<wbr key={at} />, group]))
}
