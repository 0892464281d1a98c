import { Trans, useLingui } from '@lingui/react/macro'
import Camera from 'lucide-react/icons/camera'
import ImagePlus from 'lucide-react/icons/image-plus'
import Images from 'lucide-react/icons/images'
import X from 'lucide-react/icons/x'
import { useCost } from '../../locales/cost.ts'
import { useTranslate } from '../../locales/translate.ts'
import { FilePhoto } from '../../parts/StoredPhoto.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { photoLabels } from '../post/photoLabels.ts'
import css from './ComposerPhoto.module.css'
import type { Attachment } from './useAttachment.ts'
import { type ChangeEvent, useRef } from 'react'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { useMedia } from '../../ui/media.ts'

export function PhotoPreview({
  attachment: { photo, busy, refused, remove },
  quiet,
}: {
  attachment: Attachment
  quiet: boolean
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const cost = useCost()
  return (
    <>
      {refused && !quiet && (
        <Notice tone="danger" live="alert">
          <bdi>{refused.name}</bdi>
          {t` : `}
          {translate(photoLabels[refused.why])}
        </Notice>
      )}
      {photo && (
        <div className={css.preview} data-preview="" role="group" aria-label={t`Photo à envoyer`}>
          <FilePhoto file={photo.file} alt={t`Photo à envoyer`} className={css.shot} />
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

export function PhotoChoice({
  disabled,
  onChoose,
}: {
  disabled: boolean
  onChoose: (file: File) => void
}) {
  const { t } = useLingui()
  const inHand = useMedia('(pointer: coarse)')
  const camera = useRef<HTMLInputElement>(null)
  const gallery = useRef<HTMLInputElement>(null)

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const [file] = target.files ?? []
    // Allows choosing the same file again after removing it.
    target.value = ''
    if (file) onChoose(file)
  }

  const input = {
    type: 'file',
    accept: 'image/*',
    hidden: true,
    disabled,
    onChange: choose,
  } as const
  return (
    <>
      {inHand && !disabled ? (
        <Menu label={t`Ajouter une photo`} button={<ImagePlus />}>
          <MenuItem icon={Camera} onClick={() => camera.current?.click()}>
            {t`Prendre une photo`}
          </MenuItem>
          <MenuItem icon={Images} onClick={() => gallery.current?.click()}>
            {t`Choisir une photo`}
          </MenuItem>
        </Menu>
      ) : (
        <IconButton
          label={t`Ajouter une photo`}
          icon={ImagePlus}
          disabled={disabled}
          onClick={() => gallery.current?.click()}
        />
      )}
      <input ref={camera} {...input} capture="environment" aria-label={t`Prendre une photo`} />
      <input ref={gallery} {...input} aria-label={t`Choisir une photo`} />
    </>
  )
}
