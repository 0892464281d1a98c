import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { whyNot, wrongIn } from '../../locales/problems.ts'
import { Page } from '../../parts/Page.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Form, useForm } from '../../ui/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { AccountField, NewPassword } from './PasswordField.tsx'
import { checkPassword } from './registration.ts'
import { useCooldown } from './useCooldown.ts'

/** [S2.17, S5.03]: never reveals whether an account exists. */
export function ForgotScreen() {
  const { t } = useLingui()
  /** Of the last request: the cooldown does not apply to another name. */
  const [asked, setAsked] = useState('')
  const [sent, setSent] = useState(false)
  const cooldown = useCooldown()
  const { values, bind, state } = useForm(
    { name: '' },
    {
      check: ({ name }) =>
        name.trim() === '' ? { name: msg`Saisissez votre e-mail ou votre nom d’utilisateur.` } : {},
      async send({ name }) {
        setAsked(name.trim())
        const outcome = await ask('account.forgot', { name: name.trim() })
        if (outcome.kind === 'done') {
          setSent(true)
          cooldown.start(outcome.answer.cooldown_seconds)
          return {}
        }
        if (outcome.kind === 'later' && outcome.why === 'limit' && outcome.retryAfterMs !== null)
          cooldown.start(outcome.retryAfterMs / 1000)
        return { all: whyNot(outcome) }
      },
    },
  )
  const again = values.name.trim() === asked
  const waits = cooldown.left > 0 && again

  return (
    <Page title={t`Mot de passe oublié`} width="form">
      <p>
        <Trans>
          Donnez l’e-mail ou le nom d’utilisateur de votre compte. Nous vous écrivons un lien pour
          choisir un autre mot de passe.
        </Trans>
      </p>
      <Form
        {...state}
        wide
        disabled={waits}
        action={
          waits ? (
            <Trans>Renvoyer dans {cooldown.left} s</Trans>
          ) : sent && again ? (
            t`Renvoyer`
          ) : (
            t`Envoyer le lien`
          )
        }
      >
        {sent && (
          <Notice tone="good" live="status">
            <Trans>
              Si un compte existe, un e-mail vient de partir. Le lien est valable deux heures ;
              regardez aussi dans les indésirables.
            </Trans>
          </Notice>
        )}
        <AccountField enterKeyHint="send" {...bind('name')} />
      </Form>
      <ButtonLink kind="quiet" to="/auth" search={{ mode: 'login' }}>
        {t`Retour à la connexion`}
      </ButtonLink>
    </Page>
  )
}

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

  return (
    <Page title={t`Nouveau mot de passe`} width="form">
      {done ? (
        <>
          <Notice tone="good" live="status">
            {t`Mot de passe mis à jour. Par sécurité, tous vos appareils ont été déconnectés.`}
          </Notice>
          <ButtonLink kind="main" to="/auth" search={{ mode: 'login' }}>
            {t`Se connecter`}
          </ButtonLink>
        </>
      ) : (
        <>
          <Form {...state} action={t`Changer le mot de passe`} wide disabled={!complete}>
            <NewPassword label={t`Nouveau mot de passe`} bind={bind} />
          </Form>
          <ButtonLink kind="quiet" to="/forgot-password">
            {t`Demander un autre lien`}
          </ButtonLink>
        </>
      )}
    </Page>
  )
}
