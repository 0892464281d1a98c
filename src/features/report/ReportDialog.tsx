import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { REPORT_MAX, REPORT_OTHER_MIN } from '#schema/limits'
import type { Payload } from '#schema/port/command'
import { send } from '../../data/send.ts'
import { type Sentence, whyNotQueued } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RadioGroup, TextArea } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toasts.ts'

type Category = Payload<'report.send'>['category']

const reasons: readonly (readonly [Category, Sentence])[] = [
  ['fraud', msg`Arnaque ou tentative de fraude`],
  ['spam', msg`Publicité ou annonce répétée`],
  ['inappropriate', msg`Contenu choquant ou interdit`],
  ['other', msg`Autre raison`],
]

/** [S2.47]: two taps, queued offline; visitors may report too [S3.18]. */
export function ReportDialog({
  open,
  onClose,
  listing = null,
  user = null,
}: {
  open: boolean
  onClose: () => void
  listing?: string | null
  user?: string | null
}) {
  const { t } = useLingui()
  const say = useSay()
  const [category, setCategory] = useState<Category>()
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<Sentence>()
  const [busy, setBusy] = useState(false)

  const length = [...message.trim()].length
  const tooShort = category === 'other' && length < REPORT_OTHER_MIN

  async function submit(): Promise<void> {
    if (category === undefined) return setWrong(msg`Choisissez une raison.`)
    if (tooShort) return setWrong(msg`Expliquez en quelques mots (10 caractères au moins).`)
    if (length > REPORT_MAX) return setWrong(msg`Ce texte est trop long.`)
    setBusy(true)
    const why = whyNotQueued(
      await send('report.send', { category, message: message.trim(), listing, user }),
    )
    setBusy(false)
    if (why !== undefined) return setWrong(why)
    setCategory(undefined)
    setMessage('')
    onClose()
    toast(t`Merci. Votre signalement part dès que possible.`, { tone: 'good' })
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t`Signaler`}
      actions={
        <Button kind="main" onClick={() => void submit()} disabled={busy}>
          {t`Envoyer le signalement`}
        </Button>
      }
    >
      <RadioGroup
        legend={t`Que se passe-t-il ?`}
        error={category === undefined ? wrong : undefined}
        name="report-category"
        options={reasons.map(([key, text]) => [key, say(text)])}
        value={category}
        onValue={(key) => {
          setCategory(key)
          setWrong(undefined)
        }}
      />
      <TextArea
        label={category === 'other' ? t`Expliquez` : t`Un détail (facultatif)`}
        rows={3}
        counter={REPORT_MAX}
        value={message}
        error={category === undefined ? undefined : wrong}
        onValue={setMessage}
      />
      <Notice>
        <Trans>
          L’abus des signalements peut entraîner des restrictions. La personne signalée n’est pas
          prévenue.
        </Trans>
      </Notice>
    </Dialog>
  )
}
