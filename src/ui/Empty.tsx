import type { ReactNode } from 'react'
import type { Icon } from './Button.tsx'
import css from './Empty.module.css'

/** Nothing here: a drawing, one sentence, one action (LOOK.md). `alert` for errors. */
export function Empty({ icon: Sign, title, text, action, alert }: { icon: Icon; title?: string; text: ReactNode; action?: ReactNode; alert?: boolean }) {
  return (
    <div className={css.empty} role={alert === true ? 'alert' : undefined}>
      <span className={css.drawing}>
        <Sign aria-hidden />
      </span>
      {title !== undefined && <h2>{title}</h2>}
      <p className={css.text}>{text}</p>
      {action}
    </div>
  )
}
