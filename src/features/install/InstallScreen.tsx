import { Trans, useLingui } from '@lingui/react/macro'
import { Download } from 'lucide-react'
import Install from '../../parts/drawings/install.svg?react'
import { Page } from '../../parts/Page.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Benefits } from './Benefits.tsx'
import { platform } from './platform.ts'
import { install, useInstall } from './prompt.ts'

/** [S2.19] */
export function InstallScreen() {
  const { t } = useLingui()
  const { offered, installed } = useInstall()
  const done = installed || platform().installed
  return (
    <Page title={t`Installer l’application`}>
      <Install />
      <p>
        <Trans>
          Elle s’ouvre sans réseau et consomme moins de données. Rien à télécharger dans un magasin.
        </Trans>
      </p>
      <Benefits />
      {done ? (
        <Notice tone="good" live="status">
          {t`Application installée.`}
        </Notice>
      ) : offered ? (
        <Button kind="main" icon={Download} onClick={() => void install()}>
          {t`Installer`}
        </Button>
      ) : (
        <Notice>
          <Trans>
            Votre navigateur ne propose pas l’installation en un geste : suivez le guide ci-dessous.
          </Trans>
        </Notice>
      )}
      <ButtonLink to="/support/add-to-home">{t`Ajouter à l’écran d’accueil`}</ButtonLink>
      <p className="quiet">
        <Trans>
          Avant d’installer sur iPhone : ce que vous avez écrit dans le navigateur et n’avez pas
          encore envoyé y reste. Envoyez-le d’abord.
        </Trans>
      </p>
    </Page>
  )
}
