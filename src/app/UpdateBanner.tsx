import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { updateNow, useUpdate } from '../data/service.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'

/** S4.22: a new version waits. */
export function UpdateBanner() {
  const update = useUpdate()
  const [later, setLater] = useState(false)
  if (!update || later) return null
  return (
    <Banner
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
      <strong>
        <Trans>Une nouvelle version est prête.</Trans>
      </strong>{' '}
      <Trans>Vos brouillons et envois en attente sont conservés.</Trans>
    </Banner>
  )
}
