import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { REPORT_MAX, REPORT_OTHER_MIN } from '#schema/limits'
import type { Payload } from '#schema/port/command'
import { send } from '../../data/ask.ts'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { ChoiceDialog } from '../../parts/ChoiceDialog.tsx'
import { Notice } from '../../ui/Notice.tsx'

type Category = Payload<'report.send'>['category']

const reasons: readonly (readonly [Category, Sentence])[] = [
  ['fraud', msg`Arnaque ou tentative de fraude`],
  ['spam', msg`Publicité ou annonce répétée`],
  ['inappropriate', msg`Contenu choquant ou interdit`],
  ['other', msg`Autre raison`],
]

/** [S2.47]; visitors may report too [S3.18]. */
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
  const translate = useTranslate()
  return (
    <ChoiceDialog<Category>
      open={open}
      onClose={onClose}
      title={t`Signaler`}
      legend={t`Que se passe-t-il ?`}
      name="report-category"
      options={reasons.map(([key, text]) => [key, translate(text)])}
      label={(category) => (category === 'other' ? t`Expliquez` : t`Un détail (facultatif)`)}
      most={REPORT_MAX}
      check={(category, length) => {
        if (category === undefined) return msg`Choisissez une raison.`
        return category === 'other' && length < REPORT_OTHER_MIN
          ? msg`Expliquez en quelques mots (10 caractères au moins).`
          : undefined
      }}
      action={t`Envoyer le signalement`}
      send={(category, message) => send('report.send', { category, message, listing, user })}
      thanks={t`Merci. Votre signalement part dès que possible.`}
    >
      <Notice>
        <Trans>
          L’abus des signalements peut entraîner des restrictions. La personne signalée n’est pas
          prévenue.
        </Trans>
      </Notice>
    </ChoiceDialog>
  )
}
