import { useLingui } from '@lingui/react/macro'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import css from './auth.module.css'
import { type Advice, strengthOf } from './password.ts'

/** Not a word: the keyboard must not correct it. */
export const verbatim = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

export function PasswordField(props: ComponentProps<typeof TextField>) {
  const { t } = useLingui()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      {...verbatim}
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

/** [S5.01] */
function StrengthMeter({
  password,
  username,
  wrong,
}: Record<'password' | 'username', string> & { wrong: boolean }) {
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
      {password === '' ? (
        !wrong && <p className={css.advice}>{texts.longer}</p>
      ) : (
        <p>
          <span className="unseen">{t`Force du mot de passe :`} </span>
          <strong>{labels[strength]}</strong>
          {advice !== null && <span className={css.advice}> · {texts[advice]}</span>}
        </p>
      )}
    </div>
  )
}

type Bound = Pick<ComponentProps<typeof TextField>, 'value' | 'error' | 'onValue'>

/** With its strength, and once more. */
export function NewPassword({
  label,
  username = '',
  bind,
}: {
  label: string
  username?: string
  bind: (name: 'password' | 'confirm') => Bound & { value: string }
}) {
  const { t } = useLingui()
  const password = bind('password')
  return (
    <>
      <div>
        <PasswordField
          label={label}
          name="password"
          autoComplete="new-password"
          enterKeyHint="next"
          {...password}
        />
        <StrengthMeter
          password={password.value}
          username={username}
          wrong={password.error !== undefined}
        />
      </div>
      <PasswordField
        label={t`Confirmer le mot de passe`}
        name="confirm"
        autoComplete="new-password"
        enterKeyHint="go"
        {...bind('confirm')}
      />
    </>
  )
}

export function AccountField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  const { t } = useLingui()
  return (
    <TextField
      label={t`E-mail ou nom d’utilisateur`}
      name="username"
      autoComplete="username"
      {...verbatim}
      {...props}
    />
  )
}
