import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { fieldsOf, whyNot } from '../../locales/problems.ts'
import { Page } from '../../parts/Page.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Form, useFields } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PasswordField, StrengthMeter } from './PasswordField.tsx'
import { checkPassword } from './registration.ts'

const failed = msg`Impossible de mettre à jour le mot de passe. Le lien peut être expiré.`

/** [S2.17, S8.09]. */
export function ResetScreen() {
  const { t } = useLingui()
  const { uid = '', token = '' } = useSearch({ strict: false })
  const complete = uid !== '' && token !== ''
  const { values, bind, wrong, setWrong } = useFields(
    { password: '', confirm: '' },
    complete ? {} : { all: msg`Lien invalide. Paramètres manquants.` },
  )
  const { password, confirm } = values
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking')

  async function submit(): Promise<void> {
    const seen = checkPassword(password, confirm)
    setWrong(seen)
    if (Object.keys(seen).length > 0) return
    setState('busy')
    const outcome = await ask('account.reset', { uid, token, password })
    setState(outcome.kind === 'done' ? 'done' : 'asking')
    if (outcome.kind === 'done') return
    const refused = fieldsOf(outcome)['new_password']
    setWrong(refused === undefined ? { all: whyNot(outcome, failed) } : { password: refused })
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
      <Form wrong={wrong} onSubmit={submit}>
        <div>
          <PasswordField
            label={t`Nouveau mot de passe`}
            autoComplete="new-password"
            enterKeyHint="next"
            {...bind('password')}
          />
          <StrengthMeter password={password} username="" />
        </div>
        <PasswordField
          label={t`Confirmer le mot de passe`}
          autoComplete="new-password"
          enterKeyHint="go"
          {...bind('confirm')}
        />
        <Button
          kind="main"
          type="submit"
          wide
          disabled={state === 'busy' || !complete}
          aria-busy={state === 'busy'}
        >
          {t`Changer le mot de passe`}
        </Button>
      </Form>
      <ButtonLink kind="quiet" to="/forgot-password">
        {t`Demander un autre lien`}
      </ButtonLink>
    </Page>
  )
}
