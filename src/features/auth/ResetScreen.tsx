import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { fieldWords, type Sentence, whyNot } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Page } from '../../parts/Page.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { useFirstError } from '../../ui/firstError.ts'
import { FormError, Notice } from '../../ui/Notice.tsx'
import { PasswordField, StrengthMeter } from './PasswordField.tsx'
import css from './auth.module.css'
import { checkPassword } from './registration.ts'

interface Wrong {
  readonly password?: Sentence
  readonly confirm?: Sentence
  readonly all?: Sentence
}

const failed = msg`Impossible de mettre à jour le mot de passe. Le lien peut être expiré.`

/** [S2.17, S8.09]. */
export function ResetScreen() {
  const { t } = useLingui()
  const say = useSay()
  const { uid = '', token = '' } = useSearch({ strict: false })
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking')
  const [wrong, setWrong] = useState<Wrong>(
    uid === '' || token === '' ? { all: msg`Lien invalide. Paramètres manquants.` } : {},
  )
  const form = useFirstError(wrong)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const seen = checkPassword(password, confirm)
    setWrong(seen)
    if (Object.keys(seen).length > 0) return
    setState('busy')
    const outcome = await ask('account.reset', { uid, token, password })
    setState(outcome.kind === 'done' ? 'done' : 'asking')
    if (outcome.kind === 'done') return
    const said =
      outcome.kind === 'refused' ? fieldWords(outcome.problem)['new_password'] : undefined
    setWrong(said === undefined ? { all: whyNot(outcome, failed) } : { password: said })
  }

  if (state === 'done') {
    return (
      <Page title={t`Nouveau mot de passe`} width="form">
        <Notice tone="good" live="status">
          <Trans>
            Mot de passe mis à jour. Par sécurité, tous vos appareils ont été déconnectés.
          </Trans>
        </Notice>
        <ButtonLink kind="main" to="/auth" search={{ mode: 'login' }}>
          {t`Se connecter`}
        </ButtonLink>
      </Page>
    )
  }
  return (
    <Page title={t`Nouveau mot de passe`} width="form">
      <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)}>
        <FormError words={say(wrong.all)} />
        <div>
          <PasswordField
            label={t`Nouveau mot de passe`}
            autoComplete="new-password"
            enterKeyHint="next"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={say(wrong.password)}
          />
          <StrengthMeter password={password} username="" />
        </div>
        <PasswordField
          label={t`Confirmer le mot de passe`}
          autoComplete="new-password"
          enterKeyHint="go"
          value={confirm}
          onChange={(event) => setConfirm(event.target.value)}
          error={say(wrong.confirm)}
        />
        <Button
          kind="main"
          type="submit"
          wide
          disabled={state === 'busy' || uid === '' || token === ''}
          aria-busy={state === 'busy'}
        >
          {t`Changer le mot de passe`}
        </Button>
      </form>
      <ButtonLink kind="quiet" to="/forgot-password">
        {t`Demander un autre lien`}
      </ButtonLink>
    </Page>
  )
}
