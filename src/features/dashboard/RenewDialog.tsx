import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { REACTIVATE_DAYS_MAX } from '#schema/limits'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { RadioGroup } from '../../ui/Field.tsx'

/** Days; the server's default [API 9.5]. */
export const RENEW_DAYS = 30
const choices = [7, RENEW_DAYS, 60, REACTIVATE_DAYS_MAX]

/** Limited from today [API 5.2]. */
export function RenewDialog({
  onClose,
  onRenew,
}: {
  onClose: () => void
  onRenew: (days: number) => void
}) {
  const { t } = useLingui()
  const [days, setDays] = useState(RENEW_DAYS)

  function renew() {
    onClose()
    onRenew(days)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Prolonger l’annonce`}
      actions={
        <Button kind="main" onClick={renew}>
          {t`Prolonger`}
        </Button>
      }
    >
      <RadioGroup
        legend={t`Durée ajoutée`}
        name="days"
        options={choices.map((one) => [
          one,
          t`${plural(one, { one: '# jour', other: '# jours' })}`,
        ])}
        value={days}
        onValue={setDays}
      />
      <p>
        <Trans>Au plus {REACTIVATE_DAYS_MAX} jours à partir d’aujourd’hui.</Trans>
      </p>
    </Dialog>
  )
}
