import type { ReactNode } from 'react'
import css from './Banner.module.css'

/**
 * A message of the app itself, in the flow so that it never covers anything; `actions` are its
 * buttons.
 */
export function Banner({
  title,
  children,
  actions,
}: {
  title: string
  children: ReactNode
  actions: ReactNode
}) {
  return (
    <aside className={css.banner} data-passing="" aria-label={title}>
      <p>
        <strong>{title}</strong> {children}
      </p>
      <div className={css.actions}>{actions}</div>
    </aside>
  )
}
