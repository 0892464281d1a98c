import type { ReactNode } from 'react'
import css from './Banner.module.css'

/** What the app itself has to say, in the flow so that it never covers anything; `actions` are its buttons. */
export function Banner({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <aside className={css.banner} data-passing="">
      <p>{children}</p>
      <div className={css.actions}>{actions}</div>
    </aside>
  )
}
