import { useLingui } from '@lingui/react/macro'
import { NOTIFICATIONS_STORED } from '#schema/limits'
import { useLiveQuery } from '../../data/read.ts'
import { Page } from '../../parts/Page.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { MarkAllRead, NotificationList } from './NotificationList.tsx'

/** [S2.45, S4.17] */
export function NotificationsScreen() {
  const { t } = useLingui()
  const { facts } = useLiveQuery('notifications.latest', { limit: NOTIFICATIONS_STORED })
  return (
    <Page
      title={t`Notifications`}
      shown={facts !== null}
      actions={<MarkAllRead limit={NOTIFICATIONS_STORED} />}
    >
      <NotificationList limit={NOTIFICATIONS_STORED} />
      <ButtonLink kind="quiet" to="/settings" hash="notifications">
        {t`Paramètres des notifications`}
      </ButtonLink>
    </Page>
  )
}
