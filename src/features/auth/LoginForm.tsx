import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { signIn } from '../../data/session.ts'
import { type Sentence, whyNot } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Button } from '../../ui/Button.tsx'
import { Choice, TextField } from '../../ui/Field.tsx'
import { useFirstError } from '../../ui/firstError.ts'
import { FormError } from '../../ui/Notice.tsx'
import { PasswordField } from './PasswordField.tsx'
import css from './auth.module.css'

interface Wrong {
  readonly name?: Sentence
  readonly password?: Sentence
  readonly all?: Sentence
}

/** [S2.34, S4.04, S8.07]. The session change leaves the screen. */
export function LoginForm() {
  const { t } = useLingui()
  const say = useSay()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(true)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useFirstError(wrong)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
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
    <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)}>
      <FormError words={say(wrong.all)} />
      <TextField
        label={t`E-mail ou nom d’utilisateur`}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={say(wrong.name)}
      />
      <PasswordField
        label={t`Mot de passe`}
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={say(wrong.password)}
      />
      <div className={css.row}>
        <Choice
          label={t`Rester connecté`}
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
        />
        <Link to="/forgot-password">{t`Mot de passe oublié ?`}</Link>
      </div>
      <Button kind="main" type="submit" wide disabled={busy} aria-busy={busy}>
        {t`Se connecter`}
      </Button>
    </form>
  )
}
