import { useLingui } from '@lingui/react/macro'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import css from './auth.module.css'
import { type Advice, strengthOf } from './password.ts'

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

/** [S5.01]: weak, fair or strong, as text and three bars, and what would make it stronger. */
export function StrengthMeter({ password, username }: { password: string; username: string }) {
  const { t } = useLingui()
  const { strength, advice } = strengthOf(password, username)
  const labels = { weak: t`Faible`, fair: t`Moyen`, strong: t`Fort` }
  const texts: Record<Exclude<Advice, null>, string> = {
    longer: t`Il faut 6 caractères au moins.`,
    own: t`Il contient votre nom d’utilisateur : choisissez autre chose.`,
    common: t`Beaucoup de gens commencent ainsi : choisissez un début plus rare.`,
    repeated: t`Les mêmes caractères reviennent : variez-les.`,
    varied: t`Allongez-le, ou ajoutez une majuscule, un chiffre ou un signe.`,
    more: t`Un mot de plus, et il sera fort.`,
  }
  return (
    <div className={css.meter} data-strength={password === '' ? undefined : strength} role="status">
      <span aria-hidden="true" className={css.bars} />
      {password !== '' && (
        <p>
          <span className="unseen">{t`Force du mot de passe :`} </span>
          <strong>{labels[strength]}</strong>
          {advice !== null && <span className={css.advice}> · {texts[advice]}</span>}
        </p>
      )}
    </div>
  )
}
