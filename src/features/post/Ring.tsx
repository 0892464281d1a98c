import { classes } from '../../ui/classes.ts'
import css from './Ring.module.css'

/** Empty for what has not begun. */
export function Ring({ turning = true, label }: { turning?: boolean; label: string }) {
  return (
    <svg
      viewBox="0 0 36 36"
      role="img"
      aria-label={label}
      className={classes(css.ring, turning && css.turning)}
    >
      <circle cx="18" cy="18" r="15" />
      {turning && <circle cx="18" cy="18" r="15" pathLength={100} className={css.arc} />}
    </svg>
  )
}
