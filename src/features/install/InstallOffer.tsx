import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { dismissInstall, dismissIosHint, install } from './prompt.ts'

/** `prompts`: the browser shows its own dialog on tap; else an iPhone, with manual steps. */
export function InstallOffer({
  prompts,
  onClose,
}: {
  prompts: boolean
  onClose: () => void
}): ReactNode {
  const { t } = useLingui()
  const title = t`Installez l’application`
  if (prompts) {
    return (
      <Banner
        title={title}
        actions={
          <>
            <Button onClick={dismissInstall}>{t`Plus tard`}</Button>
            <Button kind="main" onClick={() => void install()}>
              {t`Installer`}
            </Button>
          </>
        }
      >
        {t`Elle s’ouvre sans réseau et consomme moins de données.`}
      </Banner>
    )
  }

  function close(): void {
    dismissIosHint()
    onClose()
  }

  return (
    <Banner title={title} actions={<Button onClick={close}>{t`Plus tard`}</Button>}>
      {t`Pour installer : Partager, puis « Sur l’écran d’accueil ».`}{' '}
      <Link to="/support/add-to-home">{t`Comment faire`}</Link>
    </Banner>
  )
}
