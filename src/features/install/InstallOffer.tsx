import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { dismissInstall, dismissIosHint, install } from './prompt.ts'

/** `prompts`: the browser has its own dialog; else an iPhone. */
export function InstallOffer({ prompts, onClose }: { prompts: boolean; onClose: () => void }) {
  const { t } = useLingui()

  function later() {
    if (prompts) return dismissInstall()
    dismissIosHint()
    onClose()
  }

  return (
    <Banner
      title={t`Installez l’application`}
      actions={
        <>
          <Button onClick={later}>{t`Plus tard`}</Button>
          {prompts && (
            <Button kind="main" onClick={() => void install()}>
              {t`Installer`}
            </Button>
          )}
        </>
      }
    >
      {prompts ? (
        t`Elle s’ouvre sans réseau et consomme moins de données.`
      ) : (
        <>
          {t`Pour installer : Partager, puis « Sur l’écran d’accueil ».`}{' '}
          <Link to="/support/add-to-home">{t`Comment faire`}</Link>
        </>
      )}
    </Banner>
  )
}
