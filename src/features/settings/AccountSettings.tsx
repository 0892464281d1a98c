import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { APP_NAME } from '#schema/app'
import { ask } from '../../data/ask.ts'
import { leaveSession } from '../../data/leave.ts'
import { useMe } from '../../data/read.ts'
import { fieldsOf, whyNot, wrongIn } from '../../locales/problems.ts'
import { Section } from '../../parts/Page.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { download } from '../../ui/download.ts'
import { TextField } from '../../ui/Field.tsx'
import { Form, useForm } from '../../ui/Form.tsx'
import { toast } from '../../ui/toasts.ts'
import { NewPassword, PasswordField } from '../auth/PasswordField.tsx'
import { checkEmail, checkPassword } from '../auth/registration.ts'
import { ActionRow } from './ActionRow.tsx'
import css from './settings.module.css'

/** [API 7.3, API 7.7] */
export function AccountSettings() {
  const { t } = useLingui()
  const [open, setOpen] = useState<'email' | 'password' | 'delete' | null>(null)
  const [busy, setBusy] = useState(false)
  const close = () => setOpen(null)

  async function exportData() {
    setBusy(true)
    const outcome = await ask('account.export', {})
    setBusy(false)
    if (outcome.kind === 'done') offer(outcome.answer)
    else toast(whyNot(outcome), { tone: 'danger' })
  }

  return (
    <Section title={t`Mon compte`}>
      <div className={css.rows}>
        <ActionRow onClick={() => setOpen('email')}>{t`Changer l’adresse e-mail`}</ActionRow>
        <ActionRow onClick={() => setOpen('password')}>{t`Changer le mot de passe`}</ActionRow>
        <ActionRow onClick={() => void exportData()} disabled={busy} aria-busy={busy}>
          {t`Télécharger mes données`}
        </ActionRow>
        <ActionRow danger onClick={() => setOpen('delete')}>
          {t`Supprimer mon compte`}
        </ActionRow>
      </div>
      {open === 'email' && <ChangeEmail onClose={close} />}
      {open === 'password' && <ChangePassword onClose={close} />}
      {open === 'delete' && <DeleteAccount onClose={close} />}
    </Section>
  )
}

const noPassword = msg`Saisissez votre mot de passe.`

function offer(data: unknown) {
  download(
    new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }),
    `${APP_NAME.toLowerCase()}-${new Date().toISOString().slice(0, 10)}.json`,
  )
}

/** [API 7.4] */
function ChangeEmail({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { bind, state } = useForm(
    { email: '', password: '' },
    {
      check({ email, password }) {
        const mistyped = checkEmail(email.trim())
        if (mistyped) return { email: mistyped }
        return password === '' ? { password: noPassword } : {}
      },
      async send({ email, password }) {
        const outcome = await ask('account.email', { email: email.trim(), password })
        if (outcome.kind !== 'done')
          return wrongIn(outcome, { email: 'email', current_password: 'password' })
        onClose()
        toast(t`Adresse changée. Ouvrez le lien que nous venons d’y envoyer.`, { tone: 'good' })
        return {}
      },
    },
  )
  return (
    <FormDialog title={t`Changer l’adresse e-mail`} onClose={onClose} {...state}>
      <TextField
        label={t`Nouvelle adresse e-mail`}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        {...bind('email')}
      />
      <CurrentPassword {...bind('password')} />
    </FormDialog>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { bind, state } = useForm(
    { current: '', password: '', confirm: '' },
    {
      check: ({ current, password, confirm }) =>
        current === '' ? { current: noPassword } : checkPassword(password, confirm),
      async send({ current, password: next }) {
        const outcome = await ask('account.password', { current, next })
        if (outcome.kind !== 'done')
          return wrongIn(outcome, { current_password: 'current', new_password: 'password' })
        onClose()
        toast(t`Mot de passe changé. Vos autres appareils sont déconnectés.`, { tone: 'good' })
        return {}
      },
    },
  )
  return (
    <FormDialog title={t`Changer le mot de passe`} onClose={onClose} {...state}>
      <PasswordField
        label={t`Mot de passe actuel`}
        autoComplete="current-password"
        {...bind('current')}
      />
      <NewPassword label={t`Nouveau mot de passe`} bind={bind} />
    </FormDialog>
  )
}

/** [F20] */
function DeleteAccount({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const { history } = useRouter()
  const me = useMe()?.id ?? null
  const { bind, state } = useForm(
    { password: '' },
    {
      check: ({ password }) => (password === '' ? { password: noPassword } : {}),
      async send(values) {
        const outcome = await ask('account.delete', values)
        if (outcome.kind !== 'done')
          return { password: fieldsOf(outcome)['current_password'] ?? whyNot(outcome) }
        history.push('/')
        leaveSession(me)
        toast(t`Votre compte est supprimé.`)
        return {}
      },
    },
  )
  return (
    <FormDialog title={t`Supprimer mon compte`} onClose={onClose} {...state} kind="danger">
      <p>
        <Trans>
          Vos annonces disparaissent aussitôt, vos données sous 30 jours. Vos messages et vos avis
          restent chez ceux qui les ont reçus, sans votre nom. Vos brouillons et ce qui n’est pas
          encore envoyé sont effacés de ce téléphone. Cela ne peut pas être annulé.
        </Trans>
      </p>
      <CurrentPassword {...bind('password')} />
    </FormDialog>
  )
}

function FormDialog({
  title,
  onClose,
  ...form
}: { title: string; onClose: () => void } & ComponentProps<typeof Form>) {
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form {...form} action={title} />
    </Dialog>
  )
}

function CurrentPassword(field: Omit<ComponentProps<typeof PasswordField>, 'label'>) {
  const { t } = useLingui()
  return <PasswordField label={t`Mot de passe`} autoComplete="current-password" {...field} />
}
