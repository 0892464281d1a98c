import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useLiveQuery } from '../data/read.ts'
import { useSignOut } from '../features/auth/useSignOut.tsx'
import { News } from '../features/notifications/News.tsx'
import { NotificationBell } from '../features/notifications/NotificationBell.tsx'
import { setLanguage } from '../locales/i18n.ts'
import { useFormat } from '../locales/format.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { itemClass, Menu } from '../ui/Menu.tsx'

/** [S2.24, S2.30]. */
export function SignedIn() {
  const { t } = useLingui()
  const { language } = useFormat()
  const { rows, facts } = useLiveQuery('account.me', {})
  const outbox = useLiveQuery('outbox.entries', {})
  const { start, dialog } = useSignOut()
  const user = rows[0]?.user
  const waiting = outbox.rows.length
  const other = language === 'fr' ? 'en' : 'fr'
  return (
    <>
      <NotificationBell />
      <News unread={facts?.unreadNotifications ?? 0} />
      <Menu
        label={t`Menu du compte`}
        button={<Avatar src={user?.avatar ?? null} name={user?.username ?? '·'} size="s" />}
      >
        <Link role="menuitem" className={itemClass} to="/profile" search={{ tab: 'listings' }}>
          {t`Mes annonces`}
        </Link>
        <Link
          role="menuitem"
          className={itemClass}
          to="/messages/{-$conversationId}"
          params={{ conversationId: undefined }}
        >
          {t`Messages`}
        </Link>
        <Link role="menuitem" className={itemClass} to="/saved">
          {t`Annonces enregistrées`}
        </Link>
        {waiting > 0 && (
          <Link role="menuitem" className={itemClass} to="/outbox">
            {t`En attente d’envoi`} ({waiting})
          </Link>
        )}
        <Link role="menuitem" className={itemClass} to="/profile">
          {t`Profil`}
        </Link>
        <Link role="menuitem" className={itemClass} to="/settings">
          {t`Paramètres`}
        </Link>
        <button
          type="button"
          role="menuitem"
          className={itemClass}
          lang={other}
          onClick={() => void setLanguage(other)}
        >
          {other === 'en' ? 'English' : 'Français'}
        </button>
        <Link role="menuitem" className={itemClass} to="/help">
          {t`Aide`}
        </Link>
        <button type="button" role="menuitem" className={itemClass} onClick={start}>
          {t`Se déconnecter`}
        </button>
      </Menu>
      {dialog}
    </>
  )
}
