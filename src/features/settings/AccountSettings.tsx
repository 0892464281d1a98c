import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { APP_NAME } from '#schema/app'
import { ask } from '../../data/ask.ts'
import { leaveSession } from '../../data/leave.ts'
import { useLiveQuery } from '../../data/read.ts'
import { fieldWords, type Sentence, whyNot } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Section } from '../../parts/Page.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useFirstError } from '../../ui/firstError.ts'
import { FormError } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { PasswordField, StrengthMeter } from '../auth/PasswordField.tsx'
import { checkEmail, checkPassword } from '../auth/registration.ts'
import css from './settings.module.css'

/** [API 7.3, API 7.7]. All of it requires the server. */
export function AccountSettings() {
  const { t } = useLingui()
  const say = useSay()
  const [open, setOpen] = useState<'email' | 'password' | 'delete' | null>(null)
  const [busy, setBusy] = useState(false)
  const close = (): void => setOpen(null)

  async function download(): Promise<void> {
    setBusy(true)
    const outcome = await ask('account.export', {})
    setBusy(false)
    if (outcome.kind === 'done') offer(outcome.answer)
    else toast(say(whyNot(outcome)), { tone: 'danger' })
  }

  return (
    <Section title={t`Mon compte`} card>
      <div className={css.column}>
        <Button onClick={() => setOpen('email')}>{t`Changer l’adresse e-mail`}</Button>
        <Button onClick={() => setOpen('password')}>{t`Changer le mot de passe`}</Button>
        <Button onClick={() => void download()} disabled={busy} aria-busy={busy}>
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

interface WrongAddress {
  readonly email?: Sentence
  readonly password?: Sentence
  readonly all?: Sentence
}

/** A mistyped address would cut off every mail, above all the password reset [API 7.4]. */
function ChangeEmail({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const say = useSay()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<WrongAddress>({})
  const form = useFirstError(wrong)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const address = checkEmail(email.trim())
    if (address) return setWrong({ email: address })
    if (password === '') return setWrong({ password: msg`Saisissez votre mot de passe.` })
    setWrong({})
    setBusy(true)
    const outcome = await ask('account.email', { email: email.trim(), password })
    setBusy(false)
    if (outcome.kind === 'done') {
      onClose()
      toast(t`Adresse changée. Ouvrez le lien que nous venons d’y envoyer.`, { tone: 'good' })
      return
    }
    const { email: refused, current_password } =
      outcome.kind === 'refused' ? fieldWords(outcome.problem) : {}
    if (refused !== undefined) setWrong({ email: refused })
    else if (current_password !== undefined) setWrong({ password: current_password })
    else setWrong({ all: whyNot(outcome) })
  }

  return (
    <Dialog open onClose={onClose} title={t`Changer l’adresse e-mail`}>
      <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)}>
        <FormError words={say(wrong.all)} />
        <TextField
          label={t`Nouvelle adresse e-mail`}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          error={say(wrong.email)}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          label={t`Mot de passe`}
          autoComplete="current-password"
          value={password}
          error={say(wrong.password)}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button kind="main" type="submit" disabled={busy} aria-busy={busy}>
          {t`Changer l’adresse e-mail`}
        </Button>
      </form>
    </Dialog>
  )
}

interface Wrong {
  readonly current?: Sentence
  readonly password?: Sentence
  readonly confirm?: Sentence
  readonly all?: Sentence
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const say = useSay()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useFirstError(wrong)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const seen: Wrong =
      current === ''
        ? { current: msg`Saisissez votre mot de passe.` }
        : checkPassword(password, confirm)
    setWrong(seen)
    if (Object.keys(seen).length > 0) return
    setBusy(true)
    const outcome = await ask('account.password', { current, next: password })
    setBusy(false)
    if (outcome.kind === 'done') {
      onClose()
      toast(t`Mot de passe changé. Vos autres appareils sont déconnectés.`, { tone: 'good' })
      return
    }
    const { current_password, new_password } =
      outcome.kind === 'refused' ? fieldWords(outcome.problem) : {}
    if (current_password !== undefined) setWrong({ current: current_password })
    else if (new_password !== undefined) setWrong({ password: new_password })
    else setWrong({ all: whyNot(outcome) })
  }

  return (
    <Dialog open onClose={onClose} title={t`Changer le mot de passe`}>
      <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)}>
        <FormError words={say(wrong.all)} />
        <PasswordField
          label={t`Mot de passe actuel`}
          autoComplete="current-password"
          value={current}
          error={say(wrong.current)}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <div>
          <PasswordField
            label={t`Nouveau mot de passe`}
            autoComplete="new-password"
            value={password}
            error={say(wrong.password)}
            onChange={(event) => setPassword(event.target.value)}
          />
          <StrengthMeter password={password} username="" />
        </div>
        <PasswordField
          label={t`Confirmer le mot de passe`}
          autoComplete="new-password"
          value={confirm}
          error={say(wrong.confirm)}
          onChange={(event) => setConfirm(event.target.value)}
        />
        <Button kind="main" type="submit" disabled={busy} aria-busy={busy}>
          {t`Changer le mot de passe`}
        </Button>
      </form>
    </Dialog>
  )
}

/** Irreversible, so it asks for the password and lists what remains [F20]. */
function DeleteAccount({ onClose }: { onClose: () => void }) {
  const { t } = useLingui()
  const say = useSay()
  const { history } = useRouter()
  const me = useLiveQuery('account.me', {}).rows[0]?.user.id ?? null
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<Sentence>()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (password === '') return setWrong(msg`Saisissez votre mot de passe.`)
    setBusy(true)
    const outcome = await ask('account.delete', { password })
    if (outcome.kind === 'done') {
      history.push('/')
      leaveSession(me)
      toast(t`Votre compte est supprimé.`)
      return
    }
    setBusy(false)
    setWrong(
      (outcome.kind === 'refused' && fieldWords(outcome.problem)['current_password']) ||
        whyNot(outcome),
    )
  }

  return (
    <Dialog open onClose={onClose} title={t`Supprimer mon compte`}>
      <form noValidate className={css.form} onSubmit={(event) => void submit(event)}>
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
          value={password}
          error={say(wrong)}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button kind="danger" type="submit" disabled={busy} aria-busy={busy}>
          {t`Supprimer mon compte`}
        </Button>
      </form>
    </Dialog>
  )
}
