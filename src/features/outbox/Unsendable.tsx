import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { Lost } from '../../data/lost.ts'
import { forgetLost } from '../../data/waits.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copyText.ts'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { RemoveEntry } from './EntryActions.tsx'
import css from './OutboxScreen.module.css'
import { textIn } from './textIn.ts'

export function UnreadRow({ id, row }: { id: string; row: unknown }) {
  const { t } = useLingui()
  const text = textIn(row)

  async function copy() {
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

export function LostNotice({ lost: { count, messages } }: { lost: Lost }) {
  return (
    <Notice
      tone="danger"
      live="alert"
      action={
        <Button kind="quiet" onClick={forgetLost}>
          <Trans>J’ai compris</Trans>
        </Button>
      }
    >
      <strong>
        {messages === count ? (
          <Plural
            value={count}
            one="# message n’a pas pu être conservé."
            other="# messages n’ont pas pu être conservés."
          />
        ) : (
          <Plural
            value={count}
            one="# envoi n’a pas pu être conservé."
            other="# envois n’ont pas pu être conservés."
          />
        )}
      </strong>{' '}
      <Trans>Les données de ce site ont été effacées de ce téléphone avant l’envoi.</Trans>
    </Notice>
  )
}
