import { useLingui } from '@lingui/react/macro'
import { useFormat } from '../locales/format.ts'
import { useSay } from '../locales/say.ts'
import { categoryOf } from './categories.ts'
import { groupsOf } from './groups.ts'

/** A price of so many groups may be wider than its column: it breaks between two of them. */
const LONG = 1_000_000_000

/** Whole francs, or what the category says where there is no price; per month for jobs and rents [API 4.5]. */
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
  const say = useSay()
  if (price === null) return say(categoryOf(category)?.absent ?? undefined) ?? t`Prix sur demande`
  // In a narrow column the unit goes to a line of its own, rather than to break in the midst.
  const amount = money(price).replace('\u00a0', ' ')
  const whole = rent || category === 'jobs' ? t`${amount} / mois` : amount
  return price < LONG
    ? whole
    : groupsOf(whole).flatMap((group, at) => (at === 0 ? [group] : [<wbr key={at} />, group]))
}
