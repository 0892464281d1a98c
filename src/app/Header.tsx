'use no memo'

import { useLingui } from '@lingui/react/macro'
import { Link, useLocation } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { APP_NAME } from '#schema/app'
import { useSession } from '../data/session.ts'
import { BackButton } from '../parts/BackButton.tsx'
import { registerFor } from '../parts/links.ts'
import { SearchBox } from '../parts/SearchBox.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import Logo from '../ui/logo.svg?react'
import css from './Header.module.css'
import { lazyNamed } from '../ui/lazy.tsx'

const Signed = lazyNamed(
  () => import('./SignedIn.tsx'),
  'SignedIn',
  <span className={css.reserved} />,
)

/** [S2.24] */
export function Header() {
  const { t } = useLingui()
  const { token } = useSession()
  const parent = useLocation({ select: parentOf })
  return (
    <header className={css.header}>
      <div className={css.inside}>
        {parent && <BackButton to={parent} className={css.back} />}
        <Link
          to="/"
          className={classes(css.logo, parent && css.inner)}
          aria-label={t`${APP_NAME}, accueil`}
        >
          <Logo />
          <span className={css.name}>{APP_NAME}</span>
        </Link>
        <SearchBox />
        <PostLink signedIn={token !== null} />
        {token === null ? (
          <ButtonLink to="/auth" search={{ mode: 'login' }} className={css.signIn}>
            {t`Se connecter`}
          </ButtonLink>
        ) : (
          <Signed />
        )}
      </div>
    </header>
  )
}

const tabs = ['/listings', '/profile', '/settings'] as const

/** [S13.03]: the screens of the bottom navigation have no parent; with a query they are within. */
function parentOf({ pathname, searchStr }: Readonly<Record<'pathname' | 'searchStr', string>>) {
  if (pathname === '/' || pathname.startsWith('/messages')) return null
  const tab = tabs.find((one) => pathname.startsWith(one))
  return tab === pathname && searchStr === '' ? null : (tab ?? '/')
}

/** [S2.25]: anonymous visitors register first. */
function PostLink({ signedIn }: { signedIn: boolean }) {
  const { t } = useLingui()
  const label = t`Publier une annonce`
  const way = signedIn ? ({ to: '/create-listing' } as const) : registerFor('/create-listing')
  return (
    <Link {...way} aria-label={label} className={css.post}>
      <Plus />
      <span className={css.postText}>{label}</span>
    </Link>
  )
}
