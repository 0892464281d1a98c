'use no memo'

import { Trans, useLingui } from '@lingui/react/macro'
import { signInTo } from '../../parts/links.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

export function NoRoom({ text }: { text: boolean }) {
  const { t } = useLingui()
  return (
    <Notice tone="danger" live="alert">
      <strong>
        {text
          ? t`Votre texte est gardé, mais pas toutes vos photos`
          : t`Ce que vous écrivez n’est pas encore gardé`}
      </strong>
      <p>
        <Trans>
          Ce téléphone n’a plus de place. Supprimez d’autres brouillons, des vidéos ou des
          applications, et laissez cette page ouverte : tout sera gardé dès qu’il y aura de la
          place.
        </Trans>
      </p>
    </Notice>
  )
}

/** The draft stays on the device until its author signs in again. */
export function Lapsed({ next }: { next: string }) {
  return (
    <Notice
      tone="wait"
      live="alert"
      action={
        <ButtonLink {...signInTo(next)}>
          <Trans>Se connecter</Trans>
        </ButtonLink>
      }
    >
      <Trans>
        Session expirée. Votre brouillon reste sur ce téléphone : reconnectez-vous pour le publier.
      </Trans>
    </Notice>
  )
}
