import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ask, commandId } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { session, signIn, useSession } from '../../data/session.ts'
import { whyNot, wrongIn } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, TextField } from '../../ui/Field.tsx'
import { Form, useForm } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Page } from '../../parts/Page.tsx'
import { FirstMessage, type MessageToSend } from './FirstMessage.tsx'
import { AccountField, NewPassword, PasswordField, verbatim } from './PasswordField.tsx'
import { checkRegistration, type Registration } from './registration.ts'
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

  function enter(answer: string, remember?: boolean) {
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

/** [S2.34, S4.04, S8.07] */
function LoginForm({ onToken }: { onToken: (token: string, remember: boolean) => void }) {
  const { t } = useLingui()
  const [remember, setRemember] = useState(true)
  const { bind, state } = useForm(
    { name: '', password: '' },
    {
      check({ name, password }) {
        if (name.trim() === '')
          return { name: msg`Saisissez votre e-mail ou votre nom d’utilisateur.` }
        return password === '' ? { password: msg`Saisissez votre mot de passe.` } : {}
      },
      async send({ name, password }) {
        const outcome = await ask('account.login', { username: name.trim(), password })
        if (outcome.kind !== 'done')
          return { all: whyNot(outcome, msg`Échec de la connexion. Vérifiez vos identifiants.`) }
        onToken(outcome.answer.token, remember)
        void askToPersist('signed-in')
        return {}
      },
    },
  )

  return (
    <Form {...state} action={t`Se connecter`} wide>
      <AccountField enterKeyHint="next" {...bind('name')} />
      <PasswordField
        label={t`Mot de passe`}
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        {...bind('password')}
      />
      <div className="ends">
        <Choice label={t`Garder ma session ouverte`} checked={remember} onChecked={setRemember} />
        <Link to="/forgot-password" className="tap">{t`Mot de passe oublié ?`}</Link>
      </div>
    </Form>
  )
}

const nothing: Registration = { username: '', email: '', password: '', confirm: '' }

const trimmed = (written: Registration) => ({
  ...written,
  username: written.username.trim(),
  email: written.email.trim(),
})

/** [S2.34, S5.01, S5.02, S8.08] */
function RegisterForm({ onToken }: { onToken: (token: string) => void }) {
  const { t } = useLingui()
  const last = useRef({ values: '', id: '' })

  /** The last one for equal values: the account may exist, with only the response lost. */
  function idOf(asked: Registration) {
    const sent = JSON.stringify([asked.username, asked.email, asked.password, session().language])
    if (sent !== last.current.values) last.current = { values: sent, id: commandId() }
    return last.current.id
  }

  const { values, bind, state } = useForm<keyof Registration>(nothing, {
    check: (written) => checkRegistration(trimmed(written)),
    async send(written) {
      const asked = trimmed(written)
      const { username, email, password } = asked
      const outcome = await ask('account.register', { id: idOf(asked), username, email, password })
      if (outcome.kind !== 'done')
        return wrongIn(
          outcome,
          { username: 'username', email: 'email', password: 'password' },
          msg`Échec de l'inscription. Veuillez réessayer.`,
        )
      void askToPersist('signed-in')
      onToken(outcome.answer.token)
      return {}
    },
  })

  return (
    <Form {...state}>
      <TextField
        label={t`Nom d’utilisateur`}
        hint={t`Les autres le voient. Il ne se change pas.`}
        autoComplete="username"
        {...verbatim}
        enterKeyHint="next"
        name="username"
        {...bind('username')}
      />
      <TextField
        label={t`E-mail`}
        hint={t`Pour retrouver votre compte. Personne d’autre ne le voit.`}
        type="email"
        inputMode="email"
        autoComplete="email"
        enterKeyHint="next"
        name="email"
        {...bind('email')}
      />
      <NewPassword label={t`Mot de passe`} username={values.username} bind={bind} />
      <Button kind="main" type="submit" wide busy={state.busy}>
        {t`Créer un compte`}
      </Button>
      <p className="quiet">
        <Trans>
          En créant un compte, vous acceptez les <Link to="/terms">conditions d’utilisation</Link>{' '}
          et notre <Link to="/privacy">politique de confidentialité</Link>.
        </Trans>
      </p>
    </Form>
  )
}
