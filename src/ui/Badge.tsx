import { BADGE_MAX } from '#schema/limits'
import css from './Badge.module.css'

/** A count on an icon, "9+" above nine (S9.26); nothing at zero. What it counts is said by `label`. */
export function Badge({ count, label }: { count: number; label?: string }) {
  if (count <= 0) return null
  return (
    <span className={css.badge}>
      {count > BADGE_MAX ? `${BADGE_MAX}+` : count}
      {label !== undefined && <span className="unseen"> {label}</span>}
    </span>
  )
}
