import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { ask } from '../../data/ask.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './OutboxScreen.module.css'
import { textIn } from './textIn.ts'

export function UnreadRow({ id, row }: { id: string; row: unknown }) {
  const { t } = useLingui()
  const [asking, setAsking] = useState(false)
  const text = textIn(row)

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      toast(t`Texte copié.`)
    } catch {
      toast(t`Ce navigateur ne laisse pas copier : sélectionnez le texte.`, { tone: 'danger' })
    }
  }

  return (
    <li className={css.entry} data-unread={id}>
      <p dir="auto" className={css.content}>
        {text}
      </p>
      <p className={css.why}>
        <Trans>
          Cette version de l’application ne sait pas lire cet envoi. Il reste sur ce téléphone, et
          vous pouvez en copier le texte.
        </Trans>
      </p>
      <div className={css.actions} role="group" aria-label={t`Actions`}>
        <Button kind="quiet" onClick={() => void copy()}>
          {t`Copier`}
        </Button>
        <Button kind="quiet" onClick={() => setAsking(true)}>
          {t`Supprimer`}
        </Button>
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Supprimer cet envoi ?`}
        action={t`Supprimer`}
        onConfirm={() => void ask('outbox.remove', { id })}
      >
        <Trans>
          Une version plus récente de l’application pourrait encore l’envoyer. Cela ne peut pas être
          annulé.
        </Trans>
      </Confirm>
    </li>
  )
}
