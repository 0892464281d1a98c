import { useLingui } from '@lingui/react/macro'
import { Bell } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useLiveQuery } from '../../data/read.ts'
import { Badge } from '../../ui/Badge.tsx'
import '../../ui/popover.ts'
import css from './NotificationBell.module.css'
import { lazyNamed } from '../../ui/lazy.tsx'

const NotificationPanel = lazyNamed(() => import('./NotificationPanel.tsx'), 'NotificationPanel')

/** [S2.24, S2.31] */
export function NotificationBell() {
  const { t } = useLingui()
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const { facts } = useLiveQuery('account.me', {})
  return (
    <>
      <button
        type="button"
        className={css.bell}
        popoverTarget={id}
        aria-haspopup="dialog"
        title={t`Notifications`}
      >
        <Bell />
        <span className="unseen">{t`Notifications`}</span>
        <span className={css.badge}>
          <Badge count={facts?.unreadNotifications ?? 0} label={t`non lues`} one={t`non lue`} />
        </span>
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t`Notifications`}
        className={css.panel}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && <NotificationPanel onGo={() => panel.current?.hidePopover?.()} />}
      </div>
    </>
  )
}
