import { useLingui } from '@lingui/react/macro'
import { useLiveQuery } from '../data/read.ts'
import { useSignOut } from '../features/auth/useSignOut.tsx'
import { News } from '../features/notifications/News.tsx'
import { NotificationBell } from '../features/notifications/NotificationBell.tsx'
import { setLanguage } from '../locales/i18n.ts'
import { useFormat } from '../locales/format.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Menu, MenuItem, MenuLink } from '../ui/Menu.tsx'
import { conversations } from '../parts/links.ts'

/** [S2.24, S2.30] */
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
        <MenuLink to="/profile" search={{ tab: 'listings' }}>
          {t`Mes annonces`}
        </MenuLink>
        <MenuLink {...conversations}>{t`Messages`}</MenuLink>
        <MenuLink to="/saved">{t`Favoris`}</MenuLink>
        {waiting > 0 && (
          <MenuLink to="/outbox">
            {t`En attente d’envoi`} ({waiting})
          </MenuLink>
        )}
        <MenuLink to="/profile">{t`Profil`}</MenuLink>
        <MenuLink to="/settings">{t`Paramètres`}</MenuLink>
        <MenuItem lang={other} onClick={() => void setLanguage(other)}>
          {other === 'en' ? 'English' : 'Français'}
        </MenuItem>
        <MenuLink to="/help">{t`Aide`}</MenuLink>
        <MenuItem onClick={start}>{t`Se déconnecter`}</MenuItem>
      </Menu>
      {dialog}
    </>
  )
}
