import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import type { MessageDocument } from '#schema/disk/documents'
import { IconButton } from '../../ui/Button.tsx'
import css from './Quote.module.css'
import type { Answered } from './useAnswered.ts'

/** `original`: null if it is not loaded. */
export function Quote({
  original,
  own,
  onClick,
}: {
  original: MessageDocument | null
  own: boolean
  onClick: () => void
}) {
  const { t } = useLingui()
  return (
    <button type="button" className={css.quote} onClick={onClick}>
      <span className="unseen">{t`En réponse à :`} </span>
      {original === null ? (
        <span className={css.words}>{t`Message plus ancien`}</span>
      ) : (
        <Words name={original.sender_username} words={original.content} own={own} />
      )}
    </button>
  )
}

export function AnswerPreview({
  answered,
  onCancel,
}: {
  answered: Answered
  onCancel: () => void
}) {
  const { t } = useLingui()
  return (
    <div className={css.preview} data-optional="" role="group" aria-label={t`Réponse à un message`}>
      <div className={css.quote}>
        <Words {...answered} />
      </div>
      <IconButton label={t`Ne pas répondre à ce message`} icon={X} onClick={onCancel} />
    </div>
  )
}

function Words({ name, words, own }: Pick<Answered, 'name' | 'words' | 'own'>) {
  const { t } = useLingui()
  return (
    <>
      <strong dir="auto" className={css.name}>
        {own ? t`Vous` : name}
      </strong>
      <span dir="auto" className={css.words}>
        {words === '' ? t`Photo` : words}
      </span>
    </>
  )
}
