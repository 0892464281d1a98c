import { useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import {
  BadgeInfo,
  Bell,
  CalendarClock,
  CircleCheck,
  CircleX,
  Megaphone,
  MessageCircle,
  Phone,
  SearchCheck,
  Star,
  Store,
  UserPlus,
} from 'lucide-react'
import { createElement, type MouseEvent } from 'react'
import type { NotificationDocument } from '#schema/disk/documents'
import { send } from '../../data/ask.ts'
import { useTranslate } from '../../locales/format.ts'
import { When } from '../../parts/When.tsx'
import type { Icon } from '../../ui/Button.tsx'
import { describe, destinationOf } from './describe.ts'
import css from './Notifications.module.css'

const icons: Readonly<Record<string, Icon>> = {
  'message.created': MessageCircle,
  'listing.published': CircleCheck,
  'listing.new_from_followed': Store,
  'follow.created': UserPlus,
  'admin.announcement': Megaphone,
  'listing.phone_viewed': Phone,
  'listing.expiring': CalendarClock,
  'saved_search.matched': SearchCheck,
  'review.created': Star,
  'client.success': CircleCheck,
  'client.info': BadgeInfo,
}

function iconOf({ event, meta }: NotificationDocument): Icon {
  if (event === 'listing.reviewed') return meta.decision === 'rejected' ? CircleX : CircleCheck
  return icons[event] ?? Bell
}

/** [S4.18]. */
export function NotificationItem({
  notification,
  onGo,
}: {
  notification: NotificationDocument
  onGo?: (() => void) | undefined
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const { history } = useRouter()
  const { title, body } = describe(notification)
  const destination = destinationOf(notification, location.origin)

  function open(event: MouseEvent) {
    if (!notification.read) void send('notification.read', { id: notification.id })
    if (destination === null || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onGo?.()
    history.push(destination)
  }

  const inside = (
    <>
      <span className={css.sign} data-severity={notification.severity}>
        {createElement(iconOf(notification))}
      </span>
      <span className={css.text}>
        <span className={css.title}>
          {!notification.read && <span className="unseen">{t`Non lue :`} </span>}
          {translate(title)}
        </span>
        <span dir="auto" className={css.body}>
          {translate(body)}
        </span>
        <When at={notification.ts} className={css.when} />
      </span>
    </>
  )
  return (
    <li
      data-notification={notification.id}
      data-unread={notification.read ? undefined : ''}
      className={css.item}
    >
      {destination === null ? (
        <button type="button" className={css.target} onClick={open}>
          {inside}
        </button>
      ) : (
        <a href={destination} className={css.target} onClick={open}>
          {inside}
        </a>
      )}
    </li>
  )
}
