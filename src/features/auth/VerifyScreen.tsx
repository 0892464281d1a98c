import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useSearch } from '@tanstack/react-router'
import { Mail, MailCheck, MailX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ask } from '../../data/ask.ts'
import { type Sentence, whyNot } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { Page } from '../../parts/Page.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Empty } from '../../ui/Empty.tsx'
import css from './auth.module.css'

/** [S2.35], in the order of [API 7.5]. */
type State =
  | { readonly kind: 'verifying' | 'verified' | 'already_verified' | 'missing' | 'invalid' }
  | { readonly kind: 'failed'; readonly why: Sentence }

async function verify(uid: string, token: string): Promise<State> {
  const outcome = await ask('account.verify', { uid, token })
  if (outcome.kind === 'done') return { kind: outcome.answer.status }
  if (outcome.kind === 'refused' && outcome.status === 400) return { kind: 'invalid' }
  return { kind: 'failed', why: whyNot(outcome) }
}

const titles = {
  verifying: msg`Vérification de votre adresse e-mail…`,
  verified: msg`Votre adresse e-mail est vérifiée.`,
  already_verified: msg`Cette adresse e-mail est déjà vérifiée.`,
  missing: msg`Lien invalide. Paramètres manquants.`,
  invalid: msg`Lien invalide ou expiré.`,
  failed: msg`Échec de la vérification de l’e-mail.`,
}

export function VerifyScreen() {
  const { t } = useLingui()
  const translate = useTranslate()
  const { uid = '', token = '' } = useSearch({ strict: false })
  const complete = uid !== '' && token !== ''
  const [state, setState] = useState<State>({ kind: complete ? 'verifying' : 'missing' })

  useEffect(() => {
    if (!complete) return undefined
    let left = false
    void verify(uid, token).then((answer) => {
      if (!left) setState(answer)
    })
    return () => {
      left = true
    }
  }, [complete, uid, token])

  const good = state.kind === 'verified' || state.kind === 'already_verified'
  async function again() {
    setState({ kind: 'verifying' })
    setState(await verify(uid, token))
  }
  return (
    <Page title={t`Vérification de l’e-mail`} width="form">
      <div aria-live="polite" aria-busy={state.kind === 'verifying'}>
        <Empty
          icon={good ? MailCheck : state.kind === 'verifying' ? Mail : MailX}
          title={translate(titles[state.kind])}
          text={
            state.kind === 'failed'
              ? translate(state.why)
              : state.kind === 'invalid'
                ? t`Demandez un nouveau lien depuis votre profil ; le dernier envoyé est le bon.`
                : null
          }
          action={
            <div className={css.actions}>
              {state.kind === 'failed' && (
                <Button kind="main" onClick={() => void again()}>
                  {t`Réessayer`}
                </Button>
              )}
              {state.kind === 'invalid' && (
                <ButtonLink kind="main" to="/profile">
                  {t`Profil`}
                </ButtonLink>
              )}
              <ButtonLink to="/settings">{t`Paramètres`}</ButtonLink>
              <ButtonLink to="/">{t`Aller à l’accueil`}</ButtonLink>
            </div>
          }
        />
      </div>
    </Page>
  )
}
