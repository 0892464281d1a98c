import css from './Skeleton.module.css'
import { classes } from './classes.ts'

/** The shape of what comes: appears after 150 ms only, so that what is stored on the phone never flickers. */
export function Skeleton({
  shape = 'line',
  className,
}: {
  shape?: 'line' | 'title' | 'photo' | 'block' | 'round'
  className?: string | undefined
}) {
  return <div aria-hidden="true" className={classes(css.skeleton, css[shape], className)} />
}
