import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { COMMENT_MAX } from '#schema/limits'
import type { Review } from '#schema/wire/review'
import { send } from '../../data/ask.ts'
import { ChoiceDialog } from '../../parts/ChoiceDialog.tsx'

const ratings = [5, 4, 3, 2, 1]

/** A second review replaces the first [API 10.3]. */
export function ReviewDialog({
  seller,
  mine,
  onClose,
}: {
  seller: string
  mine: Review | null
  onClose: () => void
}) {
  const { t } = useLingui()
  return (
    <ChoiceDialog
      open
      onClose={onClose}
      title={t`Donner un avis`}
      legend={t`Votre note`}
      name="rating"
      options={ratings.map((n) => [n, t`${plural(n, { one: '# étoile', other: '# étoiles' })}`])}
      label={() => t`Commentaire (facultatif)`}
      most={COMMENT_MAX}
      first={mine ? { choice: mine.rating, text: mine.comment } : undefined}
      check={(rating) => (rating === undefined ? msg`Choisissez une note.` : undefined)}
      action={t`Envoyer l’avis`}
      send={(rating, comment) => send('review.write', { seller, rating, comment })}
      thanks={t`Merci. Votre avis part dès que possible.`}
    />
  )
}
