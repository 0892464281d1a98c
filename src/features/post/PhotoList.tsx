import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Camera from 'lucide-react/icons/camera'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Trash from 'lucide-react/icons/trash-2'
import { type ChangeEvent, useState } from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import { useFormat } from '../../locales/format.ts'
import type { Sentence } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './PhotoList.module.css'
import { Shot } from './Shot.tsx'
import type { Photos, Refused } from './usePhotos.ts'

/** What is wrong with a picture, and what to do (S5.05). */
const words: Readonly<Record<Refused['why'], Sentence>> = {
  image_too_large: msg`image trop lourde (5 Mo au maximum). Choisissez-en une plus légère.`,
  image_too_small: msg`image trop petite (200 × 200 pixels au moins). Prenez une photo plus grande.`,
  image_type_unsupported: msg`ce format n’est pas pris en charge. Choisissez une photo JPEG, PNG ou WebP.`,
  image_unreadable: msg`cette image ne peut pas être lue. Reprenez la photo.`,
  image_dimensions_too_large: msg`image trop grande (50 millions de pixels au maximum). Réduisez-la d’abord.`,
  too_many_images: msg`5 photos au maximum. Retirez-en une d’abord.`,
  not_kept: msg`le téléphone n’a pas pu la garder. Libérez de l’espace, puis ajoutez-la de nouveau.`,
}

/** The photos in order, the first is the cover: added, moved, turned and taken away with buttons, so by finger and by keyboard. */
export function PhotoList({ photos }: { photos: Photos }) {
  const { t } = useLingui()
  const say = useSay()
  const format = useFormat()
  const [told, setTold] = useState('')
  const { ids, files, busy, refused } = photos
  const most = IMAGES_PER_LISTING

  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const chosen = [...(target.files ?? [])]
    // The same file may be chosen again after it was taken away.
    target.value = ''
    void photos.add(chosen)
  }

  function move(id: string, by: -1 | 1): void {
    photos.move(id, by)
    const place = Math.min(ids.length, Math.max(1, ids.indexOf(id) + 1 + by))
    setTold(t`Photo en place ${place} sur ${ids.length}`)
  }

  return (
    <div className={css.photos}>
      {ids.length > 0 && (
        <ol className={css.list} aria-label={t`Photos`}>
          {ids.map((id, index) => {
            const n = index + 1
            const file = files.get(id)
            return (
              <li key={id} className={css.photo}>
                <Shot file={file ?? null} alt={t`Photo ${n}`} className={css.shot} />
                <div className={css.beside}>
                  <p className={css.note}>
                    {index === 0 && <strong>{t`Couverture`} · </strong>}
                    {file && format.bytes(file.size)}
                  </p>
                  <div className={css.actions}>
                    <IconButton label={t`Monter la photo ${n}`} icon={ArrowUp} disabled={index === 0} onClick={() => move(id, -1)} />
                    <IconButton label={t`Descendre la photo ${n}`} icon={ArrowDown} disabled={n === ids.length} onClick={() => move(id, 1)} />
                    <IconButton label={t`Tourner la photo ${n}`} icon={RotateCw} disabled={!file || busy > 0} onClick={() => void photos.turn(id)} />
                    <IconButton label={t`Retirer la photo ${n}`} icon={Trash} onClick={() => photos.remove(id)} />
                  </div>
                </div>
              </li>
            )
          })}
        </ol>
      )}
      <p role="status" className="unseen">
        {told}
      </p>
      <label className={css.add}>
        <Camera aria-hidden />
        <span>{t`Ajouter des photos`}</span>
        <input type="file" multiple accept="image/*" className="unseen" onChange={choose} />
      </label>
      <p className={css.note}>
        {busy > 0 ? <Trans>Préparation des photos…</Trans> : <Trans>Facultatif. {most} photos au maximum, 5 Mo chacune, 200 × 200 pixels au moins.</Trans>}
      </p>
      {refused.map(({ id, name, why }) => (
        <Notice key={id} tone="danger" live="alert">
          <bdi>{name}</bdi>
          {t` : `}
          {say(words[why])}
        </Notice>
      ))}
    </div>
  )
}
