'use no memo'

import { BADGE_MAX } from '#schema/limits'
import css from './Badge.module.css'

/** "9+" above nine [S9.26]. For screen readers `label` is its unit, `one` that of 1. */
export function Badge({
  count,
  label,
  one = label,
}: {
  count: number
  label: string
  one?: string
}) {
  if (count <= 0) return null
  return (
    <span data-badge="" className={css.badge}>
      {count > BADGE_MAX ? `${BADGE_MAX}+` : count}
      <span className="unseen"> {count === 1 ? one : label}</span>
    </span>
  )
}
