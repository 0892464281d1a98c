import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { commandId } from '../../data/send.ts'
import { session } from '../../data/session.ts'
import { wrongIn } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Form, useForm } from '../../ui/Form.tsx'
import { NewPassword } from './PasswordField.tsx'
import { checkRegistration, type Registration } from './registration.ts'

const nothing: Registration = { username: '', email: '', password: '', confirm: '' }

const trimmed = (written: Registration): Registration => ({
  ...written,
  username: written.username.trim(),
  email: written.email.trim(),
})

/** [S2.34, S5.01, S5.02, S8.08] */
export function RegisterForm({ onToken }: { onToken: (token: string) => void }) {
  const { t } = useLingui()
  const last = useRef({ values: '', id: '' })

  /** The last one for equal values: the account may exist, with only the response lost. */
  function idOf(asked: Registration): string {
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
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
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
