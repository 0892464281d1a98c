'use no memo'

import type { ReactNode } from 'react'
import css from './Banner.module.css'

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
    <aside className={css.banner} aria-label={title}>
      <p>
        <strong>{title}</strong>
        {children}
      </p>
      <div className={css.actions}>{actions}</div>
    </aside>
  )
}
