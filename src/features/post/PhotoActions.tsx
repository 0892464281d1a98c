'use no memo'

import { useLingui } from '@lingui/react/macro'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Star from 'lucide-react/icons/star'
import Trash2 from 'lucide-react/icons/trash-2'
import { useFormat } from '../../locales/format.ts'
import type { Icon } from '../../ui/Button.tsx'
import css from './PhotoList.module.css'
import type { Photos } from './usePhotos.ts'

/** What can be done with the photo that was tapped. */
export function PhotoActions({
  id,
  photos,
  move,
}: {
  id: string
  photos: Photos
  move: (id: string, place: number) => void
}) {
  const { t } = useLingui()
  const format = useFormat()
  const index = photos.ids.indexOf(id)
  const n = index + 1
  const file = photos.files.get(id)
  const last = n === photos.ids.length
  const actions: readonly (readonly [Icon, string, string, () => void, boolean])[] = [
    [
      Star,
      t`Couverture`,
      t`Couverture : mettre la photo ${n} en premier`,
      () => move(id, 0),
      index === 0,
    ],
    [ArrowLeft, t`Avancer`, t`Avancer la photo ${n}`, () => move(id, index - 1), index === 0],
    [ArrowRight, t`Reculer`, t`Reculer la photo ${n}`, () => move(id, index + 1), last],
    [
      RotateCw,
      t`Tourner`,
      t`Tourner la photo ${n}`,
      () => void photos.turn(id, t`Photo ${n}`),
      !file || photos.busy > 0,
    ],
    [Trash2, t`Retirer`, t`Retirer la photo ${n}`, () => void photos.remove(id), false],
  ]
  return (
    <div role="group" aria-label={t`Actions pour la photo ${n}`} className={css.panel}>
      <p className="quiet">
        {t`Photo ${n}`}
        {file && ` · ${format.bytes(file.size)}`}
      </p>
      <div className={css.actions}>
        {actions.map(([Sign, text, label, act, off]) => (
          <button
            key={text}
            type="button"
            aria-label={label}
            disabled={off}
            className={css.action}
            onClick={act}
          >
            <Sign />
            <span>{text}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
