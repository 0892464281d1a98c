import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Star } from 'lucide-react'
import { classes } from '../ui/classes.ts'
import css from './Stars.module.css'

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
