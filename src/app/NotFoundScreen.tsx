'use no memo'

import { useLingui } from '@lingui/react/macro'
import { NotFound } from '../parts/drawings/lazyDrawings.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { useScreen } from './screen.ts'

export function NotFoundScreen() {
  const { t } = useLingui()
  useScreen(t`Page introuvable`)
  return (
    <Empty
      drawing={<NotFound />}
      heading="h1"
      title={t`Page introuvable`}
      text={t`Cette page n’existe pas ou n’existe plus.`}
      action={
        <ButtonLink kind="main" to="/">
          {t`Aller à l’accueil`}
        </ButtonLink>
      }
    />
  )
}
