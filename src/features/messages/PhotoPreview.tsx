import { Trans, useLingui } from '@lingui/react/macro'
import X from 'lucide-react/icons/x'
import { useCost } from '../../locales/cost.ts'
import { useSay } from '../../locales/say.ts'
import { Shot } from '../../parts/Shot.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { photoLabels } from '../post/photoLabels.ts'
import css from './PhotoPreview.module.css'
import type { Attachment } from './useAttachment.ts'

export function PhotoPreview({
  attachment: { photo, busy, refused, remove },
  quiet,
}: {
  attachment: Attachment
  quiet: boolean
}) {
  const { t } = useLingui()
  const say = useSay()
  const cost = useCost()
  return (
    <>
      {refused && !quiet && (
        <Notice tone="danger" live="alert">
          <bdi>{refused.name}</bdi>
          {t` : `}
          {say(photoLabels[refused.why])}
        </Notice>
      )}
      {photo && (
        <div className={css.preview} data-preview="" role="group" aria-label={t`Photo à envoyer`}>
          <Shot file={photo.file} alt={t`Photo à envoyer`} className={css.shot} />
          <p className={css.cost}>
            <Trans>Envoi : {cost(photo.file.size)}</Trans>
          </p>
          <IconButton label={t`Retirer la photo`} icon={X} onClick={remove} />
        </div>
      )}
      <p role="status" className={css.busy}>
        {busy && t`Préparation de la photo…`}
      </p>
    </>
  )
}
