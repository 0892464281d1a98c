import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copyText.ts'
import { toast } from '../../ui/toasts.ts'
import { RemoveEntry } from './EntryActions.tsx'
import css from './OutboxScreen.module.css'
import { textIn } from './textIn.ts'

export function UnreadRow({ id, row }: { id: string; row: unknown }) {
  const { t } = useLingui()
  const text = textIn(row)

  async function copy(): Promise<void> {
    if (await copyText(text)) toast(t`Texte copié.`)
    else toast(t`Ce navigateur ne laisse pas copier : sélectionnez le texte.`, { tone: 'danger' })
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
        <RemoveEntry id={id}>
          <Trans>
            Une version plus récente de l’application pourrait encore l’envoyer. Cela ne peut pas
            être annulé.
          </Trans>
        </RemoveEntry>
      </div>
    </li>
  )
}
