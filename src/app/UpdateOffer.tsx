import { useLingui } from '@lingui/react/macro'
import { updateNow } from '../data/service.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'

export function UpdateOffer({ onLater }: { onLater: () => void }) {
  const { t } = useLingui()
  return (
    <Banner
      title={t`Une nouvelle version est prête.`}
      actions={
        <>
          <Button onClick={onLater}>{t`Plus tard`}</Button>
          <Button kind="main" onClick={updateNow}>
            {t`Mettre à jour maintenant`}
          </Button>
        </>
      }
    >
      {t`Vos brouillons et envois en attente sont conservés.`}
    </Banner>
  )
}
