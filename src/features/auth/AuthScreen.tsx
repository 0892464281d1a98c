import { useLingui } from '@lingui/react/macro'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { signIn, useSession } from '../../data/session.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Page } from '../../parts/Page.tsx'
import { FirstMessage, type MessageToSend } from './FirstMessage.tsx'
import { LoginForm } from './LoginForm.tsx'
import { RegisterForm } from './RegisterForm.tsx'
import css from './auth.module.css'
import { listingToWriteTo, ownPath } from './next.ts'

/** /auth?mode=login|register&next=path [S2.16, S2.23]. */
export function AuthScreen() {
  const { t } = useLingui()
  const { history } = useRouter()
  const query = useSearch({ strict: false })
  const { token } = useSession()
  const next = ownPath(query['next'], location.origin)
  const registers = query['mode'] === 'register'
  const listing = listingToWriteTo(next)
  const message = useRef<MessageToSend>(null)

  useEffect(() => {
    if (token !== null) history.replace(next ?? '/')
  }, [token, next, history])

  function enter(answer: string, remember?: boolean): void {
    // The session change leaves this screen.
    const deliver = message.current?.take()
    signIn(answer, remember)
    deliver?.()
  }

  const ways = [
    ['login', t`J’ai un compte`],
    ['register', t`Je suis nouveau`],
  ] as const
  return (
    <Page title={registers ? t`Créer un compte` : t`Se connecter`} width="form">
      <nav aria-label={t`Compte`} className={css.switch}>
        {ways.map(([mode, name]) => (
          <Link
            key={mode}
            to="/auth"
            search={{ mode, ...(next !== null && { next }) }}
            replace
            aria-current={registers === (mode === 'register') ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {next?.startsWith('/create-listing') === true && (
        <Notice>
          {t`Un compte est nécessaire pour publier. Vos brouillons restent sur ce téléphone.`}
        </Notice>
      )}
      {listing !== null && <FirstMessage listing={listing} registers={registers} ref={message} />}
      {registers ? <RegisterForm onToken={enter} /> : <LoginForm onToken={enter} />}
    </Page>
  )
}
