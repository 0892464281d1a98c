import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Star } from 'lucide-react'
import { useFormat } from '../locales/format.ts'
import { classes } from '../ui/classes.ts'
import css from './Stars.module.css'

type Facts = Readonly<{
  typical_response_hours: number | null
  listings_count: number
  items_sold: number
  years_on_platform: number
}>

export function SellerFacts({ seller }: { seller: Facts }) {
  const { t } = useLingui()
  const { number, some } = useFormat()
  const [hours, online, sold, years] = [
    number(seller.typical_response_hours ?? 0),
    number(seller.listings_count),
    number(seller.items_sold),
    number(seller.years_on_platform),
  ]
  return (
    <>
      {seller.typical_response_hours !== null && (
        <li>
          {some(
            seller.typical_response_hours,
            t`Répond en général en ${hours} heure`,
            t`Répond en général en ${hours} heures`,
          )}
        </li>
      )}
      <li>
        {some(seller.listings_count, t`${online} annonce en ligne`, t`${online} annonces en ligne`)}
      </li>
      <li>{some(seller.items_sold, t`${sold} article vendu`, t`${sold} articles vendus`)}</li>
      <li>
        {seller.years_on_platform > 0
          ? some(
              seller.years_on_platform,
              t`Membre depuis ${years} an`,
              t`Membre depuis ${years} ans`,
            )
          : t`Membre depuis moins d’un an`}
      </li>
    </>
  )
}

export function Rating({ average, count }: { average: number; count: number }) {
  const { t } = useLingui()
  const { number, some } = useFormat()
  const all = number(count)
  return (
    <>
      <Star className={css.full} />
      {number(average)} ·{' '}
      {some(count, t({ message: `${all} avis`, context: 'un seul' }), t`${all} avis`)}
    </>
  )
}

const all = [1, 2, 3, 4, 5]

export function Stars({ rating }: { rating: number }) {
  const { t } = useLingui()
  return (
    <span
      role="img"
      aria-label={t`${plural(rating, { one: '# étoile', other: '# étoiles' })} sur 5`}
      className={css.stars}
    >
      {all.map((n) => (
        <Star key={n} className={classes(n <= rating && css.full)} />
      ))}
    </span>
  )
}
