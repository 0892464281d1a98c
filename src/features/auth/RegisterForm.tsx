import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { commandId } from '../../data/send.ts'
import { session, signIn } from '../../data/session.ts'
import { fieldsOf, whyNot } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Form, useFields } from '../../ui/Form.tsx'
import { PasswordField, StrengthMeter } from './PasswordField.tsx'
import { checkRegistration, type Registration } from './registration.ts'

const nothing: Registration = { username: '', email: '', password: '', confirm: '' }

/** [S2.34, S5.01, S5.02, S8.08]. */
export function RegisterForm() {
  const { t } = useLingui()
  const { values, bind, wrong, setWrong } = useFields<keyof Registration>(nothing)
  const [busy, setBusy] = useState(false)
  const last = useRef({ values: '', id: '' })

  /**
   * Reuses the last try's id for equal values: the account may exist, with only the response lost.
   */
  function idOf(asked: Registration): string {
    const sent = JSON.stringify([asked.username, asked.email, asked.password, session().language])
    if (sent !== last.current.values) last.current = { values: sent, id: commandId() }
    return last.current.id
  }

  async function submit(): Promise<void> {
    const asked = { ...values, username: values.username.trim(), email: values.email.trim() }
    const seen = checkRegistration(asked)
    setWrong(seen)
    if (Object.keys(seen).length > 0) return
    setBusy(true)
    const { username, email, password } = asked
    const outcome = await ask('account.register', { id: idOf(asked), username, email, password })
    setBusy(false)
    if (outcome.kind === 'done') {
      void askToPersist('signed-in')
      return signIn(outcome.answer.token)
    }
    const fields = fieldsOf(outcome)
    const named = fields['username'] ?? fields['email'] ?? fields['password']
    setWrong(
      named === undefined
        ? { all: whyNot(outcome, msg`Échec de l'inscription. Veuillez réessayer.`) }
        : fields,
    )
  }

  return (
    <Form wrong={wrong} onSubmit={submit}>
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
      <div>
        <PasswordField
          label={t`Mot de passe`}
          autoComplete="new-password"
          enterKeyHint="next"
          name="password"
          {...bind('password')}
        />
        <StrengthMeter password={values.password} username={values.username} />
      </div>
      <PasswordField
        label={t`Confirmer le mot de passe`}
        autoComplete="new-password"
        enterKeyHint="go"
        name="confirm"
        {...bind('confirm')}
      />
      <Button kind="main" type="submit" wide busy={busy}>
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
