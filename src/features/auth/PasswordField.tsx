import { useLingui } from '@lingui/react/macro'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import css from './auth.module.css'
import { strengthOf } from './password.ts'

export function PasswordField(props: ComponentProps<typeof TextField>) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        <IconButton
          label={t`Afficher la saisie`}
          aria-pressed={shown}
          icon={shown ? EyeOff : Eye}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}

/** [S5.01]: weak, fair or strong, as text and three bars. */
export function StrengthMeter({ password, username }: { password: string; username: string }) {
  const { t } = useLingui()
  const strength = strengthOf(password, username)
  const labels = { weak: t`Faible`, fair: t`Moyen`, strong: t`Fort` }
  return (
    <p className={css.meter} data-strength={password === '' ? undefined : strength} role="status">
      <span aria-hidden="true" className={css.bars} />
      {password !== '' && (
        <>
          <span className="unseen">{t`Force du mot de passe :`} </span>
          {labels[strength]}
        </>
      )}
    </p>
  )
}
