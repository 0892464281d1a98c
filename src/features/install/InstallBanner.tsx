import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { IOS_HINT_MS } from '#schema/limits'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { platform } from './platform.ts'
import { dismissInstall, dismissIosHint, install, iosHintDismissed, useInstall } from './prompt.ts'

/** How to install, when the browser offers it or the phone is an iPhone. It comes late: below the first screen, where it moves nothing that is read. */
export function InstallBanner() {
  const { t } = useLingui()
  const { offered, installed, dismissed } = useInstall()
  const [ios, closeIos] = useIosHint()
  if (offered && !installed && !dismissed) {
    return (
      <Banner
        title={t`Installez l’application`}
        actions={
          <>
            <Button onClick={dismissInstall}>
              <Trans>Plus tard</Trans>
            </Button>
            <Button kind="main" onClick={() => void install()}>
              <Trans>Installer</Trans>
            </Button>
          </>
        }
      >
        <Trans>Elle s’ouvre sans réseau et consomme moins de données.</Trans>
      </Banner>
    )
  }
  if (!ios) return null
  return (
    <Banner
      title={t`Installez l’application`}
      actions={
        <Button onClick={closeIos}>
          <Trans>Plus tard</Trans>
        </Button>
      }
    >
      <Trans>Pour installer : Partager, puis « Sur l’écran d’accueil ».</Trans>{' '}
      <Link to="/support/add-to-home">
        <Trans>Comment faire</Trans>
      </Link>
    </Banner>
  )
}

/** S4.21: 1.5 s after load on an iPhone, when it is not installed and was not dismissed. */
function useIosHint(): readonly [boolean, () => void] {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const { system, installed, embedded } = platform()
    if (system !== 'ios' || installed || embedded || iosHintDismissed()) return undefined
    const timer = setTimeout(() => setShown(true), IOS_HINT_MS)
    return () => clearTimeout(timer)
  }, [])
  return [
    shown,
    () => {
      dismissIosHint()
      setShown(false)
    },
  ]
}
