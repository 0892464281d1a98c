'use no memo'

import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button, type Icon } from './Button.tsx'
import css from './Empty.module.css'

/** [DESIGN 4]. `alert` for errors. */
export function Empty({
  icon: Sign,
  drawing,
  title,
  text,
  action,
  onRetry,
  alert,
  heading: Heading = 'h2',
}: {
  icon?: Icon
  drawing?: ReactNode
  title?: string
  heading?: 'h1' | 'h2'
  text: ReactNode
  action?: ReactNode
  onRetry?: (() => void) | undefined
  alert?: boolean
}) {
  const { t } = useLingui()
  return (
    <div className={css.empty} role={alert === true ? 'alert' : undefined}>
      {drawing !== undefined && <span className={css.drawing}>{drawing}</span>}
      {Sign && (
        <span className={css.picture}>
          <Sign />
        </span>
      )}
      {title !== undefined && <Heading className={css.title}>{title}</Heading>}
      <p className={css.text}>{text}</p>
      {onRetry && <Button onClick={onRetry}>{t`Réessayer`}</Button>}
      {action}
    </div>
  )
}
