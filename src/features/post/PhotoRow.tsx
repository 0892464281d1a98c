import { useLingui } from '@lingui/react/macro'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import ImagePlus from 'lucide-react/icons/image-plus'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Trash from 'lucide-react/icons/trash-2'
import { useFormat } from '../../locales/format.ts'
import type { Sentence } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { FileChoice } from './FileChoice.tsx'
import css from './PhotoList.module.css'
import { DraftPhoto } from './DraftPhoto.tsx'
import type { Photos } from './usePhotos.ts'
import type { Reorder } from './useReorder.ts'

interface Props {
  readonly id: string
  readonly index: number
  readonly photos: Photos
  readonly reorder: Reorder
  readonly move: (id: string, place: number) => void
  readonly bad: Sentence | null
}

export function PhotoRow({ id, index, photos, reorder, move, bad }: Props) {
  const { t } = useLingui()
  const say = useSay()
  const format = useFormat()
  const n = index + 1
  const file = photos.files.get(id)
  const by = reorder.shift(id)
  return (
    <li
      data-photo={id}
      className={classes(
        css.photo,
        reorder.dragged === id ? css.lifted : reorder.dragged !== null && css.giving,
      )}
      style={by === 0 ? undefined : { translate: `0 ${by}px` }}
    >
      <DraftPhoto id={id} file={file ?? null} alt={t`Photo ${n}`} className={css.shot} />
      <div className={css.beside}>
        <p className={css.note}>
          {index === 0 && <strong>{t`Couverture`}</strong>}
          {index === 0 && file && ' · '}
          {file && format.bytes(file.size)}
        </p>
        {bad !== null && (
          <p role="alert" className={css.bad}>
            {t`Photo ${n}`}
            {t` : `}
            {say(bad)}
          </p>
        )}
        <div className={css.actions}>
          <IconButton
            label={t`Déplacer la photo ${n} : glisser, ou flèches haut et bas`}
            icon={GripVertical}
            className={css.handle}
            {...reorder.handle(id)}
          />
          <IconButton
            label={t`Monter la photo ${n}`}
            icon={ArrowUp}
            disabled={index === 0}
            onClick={() => move(id, index - 1)}
          />
          <IconButton
            label={t`Descendre la photo ${n}`}
            icon={ArrowDown}
            disabled={n === photos.ids.length}
            onClick={() => move(id, index + 1)}
          />
          <IconButton
            label={t`Tourner la photo ${n}`}
            icon={RotateCw}
            disabled={!file || photos.busy > 0}
            onClick={() => void photos.turn(id, t`Photo ${n}`)}
          />
          <IconButton
            label={t`Retirer la photo ${n}`}
            icon={Trash}
            onClick={() => void photos.remove(id)}
          />
        </div>
        {bad !== null && (
          <FileChoice
            label={t`Remplacer la photo ${n}`}
            icon={ImagePlus}
            onChoose={([coming]) => coming && void photos.replace(id, coming)}
          />
        )}
      </div>
    </li>
  )
}
