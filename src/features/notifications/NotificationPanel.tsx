import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { DROPDOWN_NOTIFICATIONS } from '#schema/limits'
import { MarkAllRead, NotificationList } from './NotificationList.tsx'
import css from './Notifications.module.css'

/** [S2.31]. */
export function NotificationPanel({ onGo }: { onGo: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <div className={css.panelHead}>
        <h2>{t`Notifications`}</h2>
        <MarkAllRead limit={DROPDOWN_NOTIFICATIONS} />
      </div>
      <div className={css.panelBody}>
        <NotificationList limit={DROPDOWN_NOTIFICATIONS} onGo={onGo} />
      </div>
      <Link to="/notifications" className={css.all} onClick={onGo}>
        {t`Toutes les notifications`}
      </Link>
    </>
  )
}
