import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { askToPersist } from '../../data/persist.ts'
import { whyNot } from '../../locales/problems.ts'
import { Choice } from '../../ui/Field.tsx'
import { Form, useForm } from '../../ui/Form.tsx'
import { AccountField, PasswordField } from './PasswordField.tsx'

/** [S2.34, S4.04, S8.07] */
export function LoginForm({ onToken }: { onToken: (token: string, remember: boolean) => void }) {
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
