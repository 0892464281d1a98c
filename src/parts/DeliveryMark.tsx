import { useLingui } from '@lingui/react/macro'
import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'
import type { MessageState } from '#schema/disk/documents'
import css from './DeliveryMark.module.css'

const icons = { queued: Clock, sending: Clock, sent: Check, read: CheckCheck, refused: CircleAlert }

/** [DESIGN 4]. The clock shows after one second. */
export function DeliveryMark({ state }: { state: MessageState }) {
  const { t } = useLingui()
  const labels = {
    queued: t`En attente d’envoi`,
    sending: t`Envoi en cours`,
    sent: t`Envoyé`,
    read: t`Lu`,
    refused: t`Non envoyé`,
  }
  const waits = state === 'queued' || state === 'sending'
  const Sign = icons[state]
  return (
    <span className={css.mark} data-mark={state} title={labels[state]}>
      <Sign className={waits ? css.clock : undefined} />
      <span className="unseen">{labels[state]}</span>
    </span>
  )
}
