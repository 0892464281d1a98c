import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { IOS_HINT_MS } from '#schema/limits'
import { updateNow, useUpdate } from '../data/service.ts'
import { platform } from '../features/install/platform.ts'
import { dismissInstall, dismissIosHint, install, iosHintDismissed, useInstall } from '../features/install/prompt.ts'
import { Button } from '../ui/Button.tsx'
import css from './Banners.module.css'

/** What the app itself has to say, in the flow so that it never covers anything: a new version; on the home screen, how to install. */
export function Banners({ home }: { home: boolean }) {
  const update = useUpdate()
  const { offered, installed, dismissed } = useInstall()
  const [later, setLater] = useState(false)
  const [ios, closeIos] = useIosHint()

  if (update && !later) {
    return (
      <aside className={css.banner} data-passing="">
        <p>
          <strong>
            <Trans>Une nouvelle version est prête.</Trans>
          </strong>{' '}
          <Trans>Vos brouillons et envois en attente sont conservés.</Trans>
        </p>
        <div className={css.actions}>
          <Button onClick={() => setLater(true)}>
            <Trans>Plus tard</Trans>
          </Button>
          <Button kind="main" onClick={updateNow}>
            <Trans>Mettre à jour maintenant</Trans>
          </Button>
        </div>
      </aside>
    )
  }
  if (!home) return null
  if (offered && !installed && !dismissed) {
    return (
      <aside className={css.banner} data-passing="">
        <p>
          <strong>
            <Trans>Installez l’application</Trans>
          </strong>{' '}
          <Trans>Elle s’ouvre sans réseau et consomme moins de données.</Trans>
        </p>
        <div className={css.actions}>
          <Button onClick={dismissInstall}>
            <Trans>Plus tard</Trans>
          </Button>
          <Button kind="main" onClick={() => void install()}>
            <Trans>Installer</Trans>
          </Button>
        </div>
      </aside>
    )
  }
  if (ios) {
    return (
      <aside className={css.banner} data-passing="">
        <p>
          <Trans>Pour installer : Partager, puis « Sur l’écran d’accueil ».</Trans>{' '}
          <Link to="/support/add-to-home">
            <Trans>Comment faire</Trans>
          </Link>
        </p>
        <div className={css.actions}>
          <Button onClick={closeIos}>
            <Trans>Plus tard</Trans>
          </Button>
        </div>
      </aside>
    )
  }
  return null
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
