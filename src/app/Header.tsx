'use no memo' // Rendered rarely: memoizing it costs more bytes than it saves work.

import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { APP_NAME } from '#schema/app'
import { useSession } from '../data/session.ts'
import { SearchBox } from '../parts/SearchBox.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import css from './Header.module.css'
import { lazyNamed } from '../ui/lazy.tsx'

/** Signed-in users only, so lazy-loaded. */
const Signed = lazyNamed(
  () => import('./SignedIn.tsx'),
  'SignedIn',
  <span className={css.reserved} />,
)

/** [S2.24]. */
export function Header() {
  const { t } = useLingui()
  const { token } = useSession()
  return (
    <header className={css.header}>
      <div className={css.inside}>
        <Link to="/" className={css.logo} aria-label={t`${APP_NAME}, accueil`}>
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

/** [S2.25]: anonymous visitors register first. */
function PostLink({ signedIn }: { signedIn: boolean }) {
  const { t } = useLingui()
  const label = t`Publier une annonce`
  const way = signedIn
    ? ({ to: '/create-listing' } as const)
    : ({ to: '/auth', search: { mode: 'register', next: '/create-listing' } } as const)
  return (
    <Link {...way} aria-label={label} className={css.post}>
      <Plus />
      <span className={css.postText}>{label}</span>
    </Link>
  )
}
