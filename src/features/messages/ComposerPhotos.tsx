import { Trans, useLingui } from '@lingui/react/macro'
import { Camera, ImagePlus, Images, X } from 'lucide-react'
import { useRef } from 'react'
import { MESSAGE_PHOTOS_MAX } from '#schema/limits'
import { useCost } from '../../locales/cost.ts'
import { FilePhoto } from '../../parts/StoredPhoto.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { chosenFiles } from '../../ui/chosenFiles.ts'
import { useMedia } from '../../ui/media.ts'
import { photoLabels, PhotoProblem } from '../post/photoLabels.tsx'
import css from './ComposerPhotos.module.css'
import type { Photos } from './usePhotos.ts'

export function PhotoPreview({
  attached: { photos, busy, refused, remove },
  quiet,
}: {
  attached: Photos
  quiet: boolean
}) {
  const { t } = useLingui()
  const cost = useCost()
  const count = photos.length
  const bytes = photos.reduce((sum, { file }) => sum + file.size, 0)
  const title = count > 1 ? t`Photos à envoyer` : t`Photo à envoyer`
  return (
    <>
      {!quiet &&
        refused.map((file) => (
          <Notice key={`${file.name} ${file.why}`} tone="danger" live="alert">
            {file.why === 'too_many' ? (
              t`${MESSAGE_PHOTOS_MAX} photos au maximum par envoi.`
            ) : (
              <PhotoProblem name={file.name} why={photoLabels[file.why]} />
            )}
          </Notice>
        ))}
      {count > 0 && (
        <div className={css.preview} data-preview="" role="group" aria-label={title}>
          <ul className={css.shots}>
            {photos.map(({ id, file }, at) => (
              <li key={id} className={css.shot}>
                <FilePhoto
                  file={file}
                  alt={count > 1 ? t`Photo ${at + 1} à envoyer` : title}
                  className={css.photo}
                />
                <IconButton
                  label={count > 1 ? t`Retirer la photo ${at + 1}` : t`Retirer la photo`}
                  icon={X}
                  className={css.remove}
                  onClick={() => remove(id)}
                />
              </li>
            ))}
          </ul>
          <p className={css.cost}>
            <Trans>Envoi : {cost(bytes)}</Trans>
          </p>
        </div>
      )}
      <p role="status" className={css.busy}>
        {busy && t`Préparation de la photo…`}
      </p>
    </>
  )
}

export function PhotoChoice({
  className,
  disabled,
  onChoose,
}: {
  className: string | undefined
  disabled: boolean
  onChoose: (files: readonly File[]) => void
}) {
  const { t } = useLingui()
  const inHand = useMedia('(pointer: coarse)')
  const camera = useRef<HTMLInputElement>(null)
  const gallery = useRef<HTMLInputElement>(null)

  const input = {
    type: 'file',
    accept: 'image/*',
    hidden: true,
    disabled,
    onChange: chosenFiles(onChoose),
  } as const
  return (
    <>
      {inHand && !disabled ? (
        <Menu label={t`Ajouter une photo`} button={<ImagePlus />} className={className}>
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
          className={className}
          disabled={disabled}
          onClick={() => gallery.current?.click()}
        />
      )}
      <input ref={camera} {...input} capture="environment" aria-label={t`Prendre une photo`} />
      <input ref={gallery} {...input} multiple aria-label={t`Choisir une photo`} />
    </>
  )
}
