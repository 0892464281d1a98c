import { Trans } from '@lingui/react/macro'
import empty from 'virtual:texts/empty_states'
import { refresh, send } from '../../data/ask.ts'
import { useLiveQuery } from '../../data/read.ts'
import { useTranslate } from '../../locales/format.ts'
import NoNotifications from '../../parts/drawings/noNotifications.svg?react'
import { Button } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { NotificationItem } from './NotificationItem.tsx'
import css from './Notifications.module.css'

export function NotificationList({
  limit,
  onGo,
}: {
  limit: number
  onGo?: (() => void) | undefined
}) {
  const translate = useTranslate()
  const { rows, status, since } = useLiveQuery('notifications.latest', { limit })
  if (rows.length > 0) {
    return (
      <ul className="ruled">
        {rows.map((notification) => (
          <NotificationItem key={notification.id} notification={notification} onGo={onGo} />
        ))}
      </ul>
    )
  }
  if (status === 'loading') {
    return (
      <div aria-hidden="true" className={css.loading}>
        <Skeleton shape="block" />
        <Skeleton shape="block" />
      </div>
    )
  }
  if (status === 'offline' || since === null) {
    return (
      <Empty
        drawing={<NoNotifications />}
        text={
          <Trans>
            Vos notifications ne sont pas encore sur ce téléphone. Elles viendront avec le réseau.
          </Trans>
        }
        onRetry={() => refresh('notifications.latest', { limit })}
      />
    )
  }
  return <Empty drawing={<NoNotifications />} text={translate(empty.notifications_none)} />
}

/** [S2.31]: up to the newest one on screen; later arrivals stay unread. */
export function MarkAllRead({ limit }: { limit: number }) {
  const { rows, facts } = useLiveQuery('notifications.latest', { limit })
  const [newest] = rows
  if (!newest || facts === null || facts.unread === 0) return null
  return (
    <Button kind="quiet" onClick={() => void send('notification.readAll', { upTo: newest.id })}>
      <Trans>Tout marquer comme lu</Trans>
    </Button>
  )
}
