import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { updateNow, useUpdate } from '../data/service.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'

/** S4.22: a new version waits. */
export function UpdateBanner() {
  const { t } = useLingui()
  const update = useUpdate()
  const [later, setLater] = useState(false)
  if (!update || later) return null
  return (
    <Banner
      title={t`Une nouvelle version est prête.`}
      actions={
        <>
          <Button onClick={() => setLater(true)}>
            <Trans>Plus tard</Trans>
          </Button>
          <Button kind="main" onClick={updateNow}>
            <Trans>Mettre à jour maintenant</Trans>
          </Button>
        </>
      }
    >
      <Trans>Vos brouillons et envois en attente sont conservés.</Trans>
    </Banner>
  )
}
