'use no memo'

import css from './Skeleton.module.css'
import { classes } from './classes.ts'

/** Appears after 150 ms: stored data shows without a flicker. */
export function Skeleton({
  shape = 'line',
  className,
}: {
  shape?: 'line' | 'title' | 'photo' | 'block' | 'square'
  className?: string | undefined
}) {
  return <div aria-hidden="true" className={classes(css.skeleton, css[shape], className)} />
}
