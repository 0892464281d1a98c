import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { wrongIn } from '../../locales/problems.ts'
import { Page } from '../../parts/Page.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Form, useForm } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { NewPassword } from './PasswordField.tsx'
import { checkPassword } from './registration.ts'

const failed = msg`Impossible de mettre à jour le mot de passe. Le lien peut être expiré.`

/** [S2.17, S8.09] */
export function ResetScreen() {
  const { t } = useLingui()
  const { uid = '', token = '' } = useSearch({ strict: false })
  const complete = uid !== '' && token !== ''
  const [done, setDone] = useState(false)
  const { bind, state } = useForm(
    { password: '', confirm: '' },
    {
      check: ({ password, confirm }) => checkPassword(password, confirm),
      async send({ password }) {
        const outcome = await ask('account.reset', { uid, token, password })
        if (outcome.kind !== 'done') return wrongIn(outcome, { new_password: 'password' }, failed)
        setDone(true)
        return {}
      },
    },
    complete ? {} : { all: msg`Lien invalide. Paramètres manquants.` },
  )

  if (done) {
    return (
      <Page title={t`Nouveau mot de passe`} width="form">
        <Notice tone="good" live="status">
          {t`Mot de passe mis à jour. Par sécurité, tous vos appareils ont été déconnectés.`}
        </Notice>
        <ButtonLink kind="main" to="/auth" search={{ mode: 'login' }}>
          {t`Se connecter`}
        </ButtonLink>
      </Page>
    )
  }
  return (
    <Page title={t`Nouveau mot de passe`} width="form">
      <Form {...state}>
        <NewPassword label={t`Nouveau mot de passe`} bind={bind} />
        <Button
          kind="main"
          type="submit"
          wide
          disabled={state.busy || !complete}
          aria-busy={state.busy}
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
