import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { signIn } from '../../data/session.ts'
import { whyNot } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, TextField } from '../../ui/Field.tsx'
import { Form, useFields } from '../../ui/Form.tsx'
import { PasswordField } from './PasswordField.tsx'
import css from './auth.module.css'

/** [S2.34, S4.04, S8.07]. The session change leaves the screen. */
export function LoginForm() {
  const { t } = useLingui()
  const { values, bind, wrong, setWrong } = useFields({ name: '', password: '' })
  const [remember, setRemember] = useState(true)
  const [busy, setBusy] = useState(false)

  async function submit(): Promise<void> {
    const { name, password } = values
    if (name.trim() === '')
      return setWrong({ name: msg`Saisissez votre e-mail ou votre nom d’utilisateur.` })
    if (password === '') return setWrong({ password: msg`Saisissez votre mot de passe.` })
    setBusy(true)
    const outcome = await ask('account.login', { username: name.trim(), password })
    setBusy(false)
    if (outcome.kind === 'done') {
      signIn(outcome.answer.token, remember)
      void askToPersist('signed-in')
    } else
      setWrong({ all: whyNot(outcome, msg`Échec de la connexion. Vérifiez vos identifiants.`) })
  }

  return (
    <Form wrong={wrong} onSubmit={submit}>
      <TextField
        label={t`E-mail ou nom d’utilisateur`}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        {...bind('name')}
      />
      <PasswordField
        label={t`Mot de passe`}
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        {...bind('password')}
      />
      <div className={css.row}>
        <Choice label={t`Rester connecté`} checked={remember} onChecked={setRemember} />
        <Link to="/forgot-password">{t`Mot de passe oublié ?`}</Link>
      </div>
      <Button kind="main" type="submit" wide busy={busy}>
        {t`Se connecter`}
      </Button>
    </Form>
  )
}
