import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { COMMENT_MAX } from '#schema/limits'
import type { Review } from '#schema/wire/review'
import { send } from '../../data/send.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RadioGroup, TextArea } from '../../ui/Field.tsx'
import { toast } from '../../ui/toasts.ts'

const ratings = [5, 4, 3, 2, 1]

/** One review per seller; a second one replaces it [API 10.3]. Queued, so it works offline. */
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
  const [rating, setRating] = useState(mine?.rating)
  const [comment, setComment] = useState(mine?.comment ?? '')
  const [wrong, setWrong] = useState<Sentence>()

  function choose(n: number): void {
    setRating(n)
    setWrong(undefined)
  }

  async function submit(): Promise<void> {
    if (rating === undefined) return setWrong(msg`Choisissez une note.`)
    if ([...comment.trim()].length > COMMENT_MAX) return setWrong(msg`Ce texte est trop long.`)
    const why = whyNotQueued(
      await send('review.write', { seller, rating, comment: comment.trim() }),
    )
    if (why !== undefined) return setWrong(why)
    onClose()
    toast(t`Merci. Votre avis part dès que possible.`, { tone: 'good' })
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Donner un avis`}
      actions={
        <Button kind="main" onClick={() => void submit()}>
          {t`Envoyer l’avis`}
        </Button>
      }
    >
      <RadioGroup
        legend={t`Votre note`}
        error={rating === undefined ? wrong : undefined}
        name="rating"
        options={ratings.map((n) => [n, t`${plural(n, { one: '# étoile', other: '# étoiles' })}`])}
        value={rating}
        onValue={choose}
      />
      <TextArea
        label={t`Commentaire (facultatif)`}
        rows={4}
        counter={COMMENT_MAX}
        value={comment}
        error={rating === undefined ? undefined : wrong}
        onValue={setComment}
      />
    </Dialog>
  )
}
