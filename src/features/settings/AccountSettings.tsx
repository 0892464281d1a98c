import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { APP_NAME } from '#schema/app'
import { ask } from '../../data/ask.ts'
import { leaveSession } from '../../data/leave.ts'
import { useMe } from '../../data/read.ts'
import { fieldsOf, whyNot } from '../../locales/problems.ts'
import { Section } from '../../parts/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Form, useFields } from '../../ui/Form.tsx'
import { toast } from '../../ui/toasts.ts'
import { PasswordField, StrengthMeter } from '../auth/PasswordField.tsx'
import { checkEmail, checkPassword } from '../auth/registration.ts'
import css from './settings.module.css'

/** [API 7.3, API 7.7]. All of it requires the server. */
export function AccountSettings() {
  const { t } = useLingui()
  const [open, setOpen] = useState<'email' | 'password' | 'delete' | null>(null)
  const [busy, setBusy] = useState(false)
  const close = (): void => setOpen(null)

  async function exportData(): Promise<void> {
    setBusy(true)
    const outcome = await ask('account.export', {})
    setBusy(false)
    if (outcome.kind === 'done') offer(outcome.answer)
    else toast(whyNot(outcome), { tone: 'danger' })
  }

  return (
    <Section title={t`Mon compte`} card>
      <div className={css.column}>
        <Button onClick={() => setOpen('email')}>{t`Changer l’adresse e-mail`}</Button>
        <Button onClick={() => setOpen('password')}>{t`Changer le mot de passe`}</Button>
        <Button onClick={() => void exportData()} busy={busy}>
          {t`Télécharger mes données`}
        </Button>
        <Button onClick={() => setOpen('delete')}>{t`Supprimer mon compte`}</Button>
      </div>
      {open === 'email' && <ChangeEmail onClose={close} />}
      {open === 'password' && <ChangePassword onClose={close} />}
      {open === 'delete' && <DeleteAccount onClose={close} />}
    </Section>
  )
}

const noPassword = msg`Saisissez votre mot de passe.`

function offer(data: unknown): void {
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
  )
  const link = document.createElement('a')
  link.href = address
  link.download = `${APP_NAME.toLowerCase()}-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  URL.revokeObjectURL(address)
}

/** A mistyped address would cut off every mail, above all the password reset [API 7.4]. */
function ChangeEmail({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { values, bind, wrong, setWrong } = useFields({ email: '', password: '' })
  const [busy, setBusy] = useState(false)

  async function submit(): Promise<void> {
    const address = values.email.trim()
    const mistyped = checkEmail(address)
    if (mistyped) return setWrong({ email: mistyped })
    if (values.password === '') return setWrong({ password: noPassword })
    setWrong({})
    setBusy(true)
    const outcome = await ask('account.email', { email: address, password: values.password })
    setBusy(false)
    if (outcome.kind === 'done') {
      onClose()
      toast(t`Adresse changée. Ouvrez le lien que nous venons d’y envoyer.`, { tone: 'good' })
      return
    }
    const { email, current_password: password } = fieldsOf(outcome)
    if (email !== undefined) setWrong({ email })
    else setWrong(password === undefined ? { all: whyNot(outcome) } : { password })
  }

  return (
    <Dialog open onClose={onClose} title={t`Changer l’adresse e-mail`}>
      <Form wrong={wrong} onSubmit={submit}>
        <TextField
          label={t`Nouvelle adresse e-mail`}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          {...bind('email')}
        />
        <PasswordField
          label={t`Mot de passe`}
          autoComplete="current-password"
          {...bind('password')}
        />
        <Button kind="main" type="submit" busy={busy}>
          {t`Changer l’adresse e-mail`}
        </Button>
      </Form>
    </Dialog>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { values, bind, wrong, setWrong } = useFields({ current: '', password: '', confirm: '' })
  const [busy, setBusy] = useState(false)

  async function submit(): Promise<void> {
    const seen =
      values.current === ''
        ? { current: noPassword }
        : checkPassword(values.password, values.confirm)
    setWrong(seen)
    if (Object.keys(seen).length > 0) return
    setBusy(true)
    const { current, password: next } = values
    const outcome = await ask('account.password', { current, next })
    setBusy(false)
    if (outcome.kind === 'done') {
      onClose()
      toast(t`Mot de passe changé. Vos autres appareils sont déconnectés.`, { tone: 'good' })
      return
    }
    const { current_password, new_password: password } = fieldsOf(outcome)
    if (current_password !== undefined) setWrong({ current: current_password })
    else setWrong(password === undefined ? { all: whyNot(outcome) } : { password })
  }

  return (
    <Dialog open onClose={onClose} title={t`Changer le mot de passe`}>
      <Form wrong={wrong} onSubmit={submit}>
        <PasswordField
          label={t`Mot de passe actuel`}
          autoComplete="current-password"
          {...bind('current')}
        />
        <div>
          <PasswordField
            label={t`Nouveau mot de passe`}
            autoComplete="new-password"
            {...bind('password')}
          />
          <StrengthMeter password={values.password} username="" />
        </div>
        <PasswordField
          label={t`Confirmer le mot de passe`}
          autoComplete="new-password"
          {...bind('confirm')}
        />
        <Button kind="main" type="submit" busy={busy}>
          {t`Changer le mot de passe`}
        </Button>
      </Form>
    </Dialog>
  )
}

/** Irreversible, so it asks for the password and lists what remains [F20]. */
function DeleteAccount({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { history } = useRouter()
  const me = useMe()?.id ?? null
  const { values, bind, wrong, setWrong } = useFields({ password: '' })
  const [busy, setBusy] = useState(false)

  async function submit(): Promise<void> {
    if (values.password === '') return setWrong({ password: noPassword })
    setBusy(true)
    const outcome = await ask('account.delete', values)
    if (outcome.kind === 'done') {
      history.push('/')
      leaveSession(me)
      toast(t`Votre compte est supprimé.`)
      return
    }
    setBusy(false)
    setWrong({ password: fieldsOf(outcome)['current_password'] ?? whyNot(outcome) })
  }

  return (
    <Dialog open onClose={onClose} title={t`Supprimer mon compte`}>
      <Form wrong={wrong} onSubmit={submit}>
        <p>
          <Trans>
            Vos annonces disparaissent aussitôt, vos données sous 30 jours. Vos messages et vos avis
            restent chez ceux qui les ont reçus, sans votre nom. Vos brouillons et ce qui n’est pas
            encore envoyé sont effacés de ce téléphone. Cela ne peut pas être annulé.
          </Trans>
        </p>
        <PasswordField
          label={t`Mot de passe`}
          autoComplete="current-password"
          {...bind('password')}
        />
        <Button kind="danger" type="submit" busy={busy}>
          {t`Supprimer mon compte`}
        </Button>
      </Form>
    </Dialog>
  )
}
