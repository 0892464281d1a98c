import { useLingui } from '@lingui/react/macro'
import Camera from 'lucide-react/icons/camera'
import ImagePlus from 'lucide-react/icons/image-plus'
import Images from 'lucide-react/icons/images'
import { type ChangeEvent, useRef } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { Menu, MenuItem } from '../../ui/Menu.tsx'
import { useMedia } from '../../ui/media.ts'

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
        <Menu label={t`Ajouter une photo`} button={<ImagePlus aria-hidden />}>
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
