import { classes } from '../../ui/classes.ts'
import css from './Ring.module.css'

/** From 0 to 1; null: of unknown length. */
export function Ring({ done, label }: { done: number | null; label: string }) {
  return (
    <svg
      viewBox="0 0 36 36"
      role="img"
      aria-label={label}
      className={classes(css.ring, done === null && css.turning)}
    >
      <circle cx="18" cy="18" r="15" className={css.track} />
      {done !== 0 && (
        <circle
          cx="18"
          cy="18"
          r="15"
          pathLength={100}
          strokeDasharray={`${Math.round((done ?? 0.3) * 100)} 100`}
          className={css.arc}
        />
      )}
    </svg>
  )
}
