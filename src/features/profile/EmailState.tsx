import { Trans, useLingui } from '@lingui/react/macro'
import { msg } from '@lingui/core/macro'
import { MailCheck, MailWarning } from 'lucide-react'
import { useState } from 'react'
import type { User } from '#schema/wire/account'
import { ask } from '../../data/ask.ts'
import { type Sentence, whyNot } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useCooldown } from '../auth/useCooldown.ts'

/** [S2.40], [S7.14, S8.10]. */
export function EmailState({ user }: { user: User }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const [note, setNote] = useState<{ readonly good: boolean; readonly text: Sentence } | null>(null)
  const cooldown = useCooldown()

  async function verify(): Promise<void> {
    const outcome = await ask('account.requestVerification', {})
    if (outcome.kind === 'done') {
      cooldown.start(outcome.answer.cooldown_seconds)
      setNote({
        good: true,
        text:
          outcome.answer.status === 'sent'
            ? msg`E-mail de vérification envoyé.`
            : msg`Cette adresse e-mail est déjà vérifiée.`,
      })
      return
    }
    if (outcome.kind === 'later' && outcome.retryAfterMs !== null)
      cooldown.start(outcome.retryAfterMs / 1000)
    setNote({ good: false, text: whyNot(outcome, msg`Impossible de demander la vérification.`) })
  }

  return (
    <>
      <Notice
        tone={user.email_verified ? 'good' : 'wait'}
        icon={user.email_verified ? MailCheck : MailWarning}
        action={
          !user.email_verified && (
            <Button kind="quiet" onClick={() => void verify()} disabled={cooldown.left > 0}>
              {cooldown.left > 0 ? <Trans>Renvoyer dans {cooldown.left} s</Trans> : t`Vérifier`}
            </Button>
          )
        }
      >
        <bdi>{user.email}</bdi> · {user.email_verified ? t`vérifié` : t`non vérifié`}
      </Notice>
      <div role="status">
        {note && <Notice tone={note.good ? 'good' : 'danger'}>{translate(note.text)}</Notice>}
      </div>
    </>
  )
}
