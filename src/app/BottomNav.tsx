'use no memo' // Rendered rarely: memoizing it costs more bytes than it saves work.

import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import House from 'lucide-react/icons/house'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import MessageCircle from 'lucide-react/icons/message-circle'
import Plus from 'lucide-react/icons/plus'
import Settings from 'lucide-react/icons/settings'
import User from 'lucide-react/icons/user'
import { useLiveQuery } from '../data/read.ts'
import { useSession } from '../data/session.ts'
import { Badge } from '../ui/Badge.tsx'
import css from './BottomNav.module.css'
import { conversations, signInTo } from '../parts/links.ts'

const sell = { to: '/create-listing' } as const
const sellSignedOut = {
  ...signInTo('/create-listing'),
  activeOptions: { explicitUndefined: true },
  activeProps: {},
} as const

/** [S2.27], up to 900 px. */
export function BottomNav() {
  const { t } = useLingui()
  const { token } = useSession()
  const { facts } = useLiveQuery('account.me', {})
  const signedIn = token !== null
  return (
    <nav className={css.nav} aria-label={t`Navigation principale`}>
      <Link to="/" activeOptions={{ exact: true }} className={css.item}>
        <House />
        {t`Accueil`}
      </Link>
      <Link to="/listings" activeOptions={{ includeSearch: false }} className={css.item}>
        <LayoutGrid />
        {t`Catégories`}
      </Link>
      <Link {...(signedIn ? sell : sellSignedOut)} className={css.sell}>
        <Plus />
        {t`Vendre`}
      </Link>
      <Link {...conversations} className={css.item}>
        <span className={css.sign}>
          <MessageCircle />
        </span>
        {t`Messages`}
        {signedIn && (
          <Badge count={facts?.unreadMessages ?? 0} label={t`non lus`} one={t`non lu`} />
        )}
      </Link>
      {signedIn ? (
        <Link to="/profile" className={css.item}>
          <User />
          {t`Profil`}
          <Badge
            count={facts?.unreadNotifications ?? 0}
            label={t`notifications non lues`}
            one={t`notification non lue`}
          />
        </Link>
      ) : (
        <Link to="/auth" search={{ mode: 'login' }} className={css.item}>
          <User />
          {t`Connexion`}
        </Link>
      )}
      <Link to="/settings" className={css.item}>
        <Settings />
        {t`Paramètres`}
      </Link>
    </nav>
  )
}
