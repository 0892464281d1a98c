import type { ReactNode } from 'react'
import type { Icon } from './Button.tsx'
import css from './Empty.module.css'

/** [DESIGN 4]. `alert` for errors. */
export function Empty({
  icon: Sign,
  title,
  text,
  action,
  alert,
  heading: Heading = 'h2',
}: {
  icon: Icon
  title?: string
  heading?: 'h1' | 'h2'
  text: ReactNode
  action?: ReactNode
  alert?: boolean
}) {
  return (
    <div className={css.empty} role={alert === true ? 'alert' : undefined}>
      <span className={css.drawing}>
        <Sign aria-hidden />
      </span>
      {title !== undefined && <Heading className={css.title}>{title}</Heading>}
      <p className={css.text}>{text}</p>
      {action}
    </div>
  )
}
