import type { ReactNode } from 'react'
import type { Icon } from './Button.tsx'
import css from './Notice.module.css'
import { classes } from './classes.ts'

/**
 * A few words that stay in the page: `wait` for what the network or the phone does, `danger` for what went wrong,
 * `good` for what is done, `plain` for advice. `live` reads it out when it appears.
 */
export function Notice({
  tone = 'plain',
  icon: Sign,
  live,
  children,
  action,
}: {
  tone?: 'plain' | 'wait' | 'danger' | 'good'
  icon?: Icon
  live?: 'status' | 'alert'
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div role={live} data-notice="" className={classes(css.notice, css[tone])}>
      {Sign && <Sign aria-hidden />}
      <div className={css.text}>{children}</div>
      {action}
    </div>
  )
}

/** What is wrong with a form as a whole, above its fields; nothing: no place is taken. */
export function FormError({ words }: { words: string | undefined }) {
  return (
    words !== undefined && (
      <Notice tone="danger" live="alert">
        {words}
      </Notice>
    )
  )
}
