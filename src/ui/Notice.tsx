'use no memo'

import type { ReactNode } from 'react'
import type { Icon } from './Button.tsx'
import css from './Notice.module.css'
import { classes } from './classes.ts'

/** `wait`: pending on network or device. `live`: announced by screen readers. */
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
      {Sign && <Sign />}
      <div className={css.text}>{children}</div>
      {action}
    </div>
  )
}
