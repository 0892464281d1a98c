import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { REACTIVATE_DAYS_MAX } from '#schema/limits'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Choice, Group } from '../../ui/Field.tsx'

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

  function renew(): void {
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
      <Group legend={t`Durée ajoutée`}>
        {choices.map((one) => (
          <Choice
            key={one}
            type="radio"
            name="days"
            label={t`${plural(one, { one: '# jour', other: '# jours' })}`}
            checked={days === one}
            onChange={() => setDays(one)}
          />
        ))}
      </Group>
      <p>
        <Trans>Au plus {REACTIVATE_DAYS_MAX} jours à partir d’aujourd’hui.</Trans>
      </p>
    </Dialog>
  )
}
