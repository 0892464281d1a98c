'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { House, LayoutGrid, MessageCircle, Plus, Settings, User } from 'lucide-react'
import { useLiveQuery } from '../data/read.ts'
import { useSession } from '../data/session.ts'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
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
      <Link to="/" activeOptions={{ exact: true }} className={classes(css.item, css.plain)}>
        <House />
        <span className={css.label}>{t`Accueil`}</span>
      </Link>
      <Link to="/listings" activeOptions={{ includeSearch: false }} className={css.item}>
        <LayoutGrid />
        <span className={css.label}>{t`Catégories`}</span>
      </Link>
      <Link {...(signedIn ? sell : sellSignedOut)} className={css.sell}>
        <Plus />
        <span className={css.label}>{t`Vendre`}</span>
      </Link>
      <Link {...conversations} className={css.item}>
        <MessageCircle />
        <span className={css.label}>{t`Messages`}</span>
        {signedIn && (
          <Badge count={facts?.unreadMessages ?? 0} label={t`non lus`} one={t`non lu`} />
        )}
      </Link>
      {signedIn ? (
        <Link to="/profile" className={classes(css.item, css.plain)}>
          <User />
          <span className={css.label}>{t`Profil`}</span>
          <Badge
            count={facts?.unreadNotifications ?? 0}
            label={t`notifications non lues`}
            one={t`notification non lue`}
          />
        </Link>
      ) : (
        <Link to="/auth" search={{ mode: 'login' }} className={classes(css.item, css.plain)}>
          <User />
          <span className={css.label}>{t`Connexion`}</span>
        </Link>
      )}
      <Link to="/settings" className={classes(css.item, css.plain)}>
        <Settings />
        <span className={css.label}>{t`Paramètres`}</span>
      </Link>
    </nav>
  )
}
