import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { commandId } from '../../data/send.ts'
import { session, signIn } from '../../data/session.ts'
import { fieldWords, type Sentence, whyNot } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useFirstError } from '../../ui/firstError.ts'
import { FormError } from '../../ui/Notice.tsx'
import { PasswordField, StrengthMeter } from './PasswordField.tsx'
import css from './auth.module.css'
import { checkRegistration, type Registration } from './registration.ts'

type Wrong = Partial<Record<keyof Registration | 'all', Sentence>>

const nothing: Registration = { username: '', email: '', password: '', confirm: '' }

/** [S2.34, S5.01, S5.02, S8.08]. */
export function RegisterForm() {
  const { t } = useLingui()
  const say = useSay()
  const [values, setValues] = useState(nothing)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useFirstError(wrong)
  const last = useRef({ said: '', id: '' })

  /**
   * Reuses the last try's id for equal values: the account may exist, with only the response lost.
   */
  function idOf(asked: Registration): string {
    const said = JSON.stringify([asked.username, asked.email, asked.password, session().language])
    if (said !== last.current.said) last.current = { said, id: commandId() }
    return last.current.id
  }

  const bind = (field: keyof Registration) => ({
    name: field,
    value: values[field],
    error: say(wrong[field]),
    onChange: (event: { target: { value: string } }) =>
      setValues({ ...values, [field]: event.target.value }),
  })

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
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
    const fields: Wrong = outcome.kind === 'refused' ? fieldWords(outcome.problem) : {}
    const named = fields.username ?? fields.email ?? fields.password
    setWrong(
      named === undefined
        ? { all: whyNot(outcome, msg`Échec de l'inscription. Veuillez réessayer.`) }
        : fields,
    )
  }

  return (
    <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)}>
      <FormError words={say(wrong.all)} />
      <TextField
        label={t`Nom d’utilisateur`}
        hint={t`Les autres le voient. Il ne se change pas.`}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="next"
        {...bind('username')}
      />
      <TextField
        label={t`E-mail`}
        hint={t`Pour retrouver votre compte. Personne d’autre ne le voit.`}
        type="email"
        inputMode="email"
        autoComplete="email"
        enterKeyHint="next"
        {...bind('email')}
      />
      <div>
        <PasswordField
          label={t`Mot de passe`}
          autoComplete="new-password"
          enterKeyHint="next"
          {...bind('password')}
        />
        <StrengthMeter password={values.password} username={values.username} />
      </div>
      <PasswordField
        label={t`Confirmer le mot de passe`}
        autoComplete="new-password"
        enterKeyHint="go"
        {...bind('confirm')}
      />
      <Button kind="main" type="submit" wide disabled={busy} aria-busy={busy}>
        {t`Créer un compte`}
      </Button>
      <p className={css.small}>
        <Trans>
          En créant un compte, vous acceptez les <Link to="/terms">conditions d’utilisation</Link>{' '}
          et notre <Link to="/privacy">politique de confidentialité</Link>.
        </Trans>
      </p>
    </form>
  )
}
