import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Entry } from '#schema/disk/entry'
import { fieldTexts, type Sentence, whyWaiting } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/format.ts'
import { photoLabels, PhotoProblem } from '../post/photoLabels.tsx'

export function WhyNotSent({ entry }: { entry: Pick<Entry, 'state' | 'why' | 'problem'> }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const text = budgetTexts[entry.problem?.code ?? '']
  if (entry.state === 'refused' && text !== undefined) return translate(text)
  const trouble = photoTrouble(entry)
  if (trouble === null) return translate(whyWaiting(entry))
  return <PhotoProblem name={t`Photo`} why={trouble} />
}

/** The user decides whether to go on retrying (sync/outbox/budget.ts). */
const budgetTexts: Readonly<Record<string, Sentence>> = {
  retry_data: msg`Plusieurs essais ont coûté des données sans aboutir. Faut-il continuer ?`,
  retry_time: msg`Essayé longtemps, toujours sans réponse du service. Faut-il continuer ?`,
}

/** [API 5.4]; null: not the photo. */
function photoTrouble({ problem }: Pick<Entry, 'problem'>) {
  if (!problem) return null
  if (problem.code === 'photo_gone') return photoLabels.not_here
  const [error] = problem.field_codes?.['attachment'] ?? []
  const own: Readonly<Record<string, Sentence>> = photoLabels
  return own[error?.code ?? problem.code] ?? fieldTexts(problem)['attachment'] ?? null
}
