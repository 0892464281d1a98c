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
  return (
    <div role="group" aria-label={t`Actions pour la photo ${n}`} className={css.panel}>
      <p className="quiet">
        {t`Photo ${n}`}
        {file && ` · ${format.bytes(file.size)}`}
      </p>
      <div className={css.actions}>
        <Action
          icon={Star}
          text={t`Couverture`}
          label={t`Couverture : mettre la photo ${n} en premier`}
          disabled={index === 0}
          onClick={() => move(id, 0)}
        />
        <Action
          icon={ArrowLeft}
          text={t`Avancer`}
          label={t`Avancer la photo ${n}`}
          disabled={index === 0}
          onClick={() => move(id, index - 1)}
        />
        <Action
          icon={ArrowRight}
          text={t`Reculer`}
          label={t`Reculer la photo ${n}`}
          disabled={last}
          onClick={() => move(id, index + 1)}
        />
        <Action
          icon={RotateCw}
          text={t`Tourner`}
          label={t`Tourner la photo ${n}`}
          disabled={!file || photos.busy > 0}
          onClick={() => void photos.turn(id, t`Photo ${n}`)}
        />
        <Action
          icon={Trash2}
          text={t`Retirer`}
          label={t`Retirer la photo ${n}`}
          onClick={() => void photos.remove(id)}
        />
      </div>
    </div>
  )
}

function Action({
  icon: Sign,
  text,
  label,
  disabled = false,
  onClick,
}: {
  icon: Icon
  text: string
  label: string
  disabled?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      className={css.action}
      onClick={onClick}
    >
      <Sign />
      <span>{text}</span>
    </button>
  )
}
