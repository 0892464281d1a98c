import { Trans, useLingui } from '@lingui/react/macro'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Camera from 'lucide-react/icons/camera'
import GripVertical from 'lucide-react/icons/grip-vertical'
import ImagePlus from 'lucide-react/icons/image-plus'
import Images from 'lucide-react/icons/images'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Trash2 from 'lucide-react/icons/trash-2'
import { type ChangeEvent, useLayoutEffect, useRef, useState } from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Button, type Icon, IconButton } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import css from './PhotoList.module.css'
import { photoLabels } from './photoLabels.ts'
import type { Incoming, Photos } from './usePhotos.ts'
import { type Reorder, useReorder } from './useReorder.ts'
import { useFormat } from '../../locales/format.ts'
import { classes } from '../../ui/classes.ts'
import { DraftPhoto } from './DraftPhoto.tsx'
import { commandId } from '../../data/send.ts'

export interface BadPhoto {
  readonly id: string
  readonly text: Sentence
}

export function PhotoList({ photos, bad }: { photos: Photos; bad: BadPhoto | null }) {
  const { t } = useLingui()
  const translate = useTranslate()
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  const stay = useFocusThatStays(photos.ids)
  const reorder = useReorder(list, photos.ids, move)
  const { ids, busy, refused, waiting } = photos
  const most = IMAGES_PER_LISTING

  function move(id: string, to: number): void {
    if (to < 0 || to >= ids.length) return
    stay()
    photos.move(id, to)
    const place = to + 1
    setAnnouncement(t`Photo en place ${place} sur ${ids.length}`)
  }

  return (
    <div className={css.photos}>
      {ids.length > 0 && (
        <ol ref={list} className={css.list} aria-label={t`Photos`}>
          {ids.map((id, index) => (
            <PhotoRow
              key={id}
              id={id}
              index={index}
              photos={photos}
              reorder={reorder}
              move={move}
              bad={bad?.id === id ? bad.text : null}
            />
          ))}
        </ol>
      )}
      <p role="status" className="unseen">
        {announcement}
      </p>
      <div className={css.ways}>
        <FileChoice
          label={t`Prendre une photo`}
          icon={Camera}
          camera
          className={css.camera}
          onChoose={(coming) => void photos.add(coming)}
        />
        <FileChoice
          label={t`Ajouter des photos`}
          icon={Images}
          several
          onChoose={(coming) => void photos.add(coming)}
        />
      </div>
      <p className="quiet">
        {busy > 0 ? (
          t`Préparation des photos…`
        ) : (
          <Trans>
            Facultatif. {most} photos au maximum, 5 Mo chacune, 200 × 200 pixels au moins.
          </Trans>
        )}
      </p>
      {waiting.map(({ id, name }) => (
        <Notice
          key={id}
          tone="wait"
          live="alert"
          action={<Button onClick={() => photos.giveUp(id)}>{t`Retirer`}</Button>}
        >
          <bdi>{name}</bdi>
          {t` : `}
          {t`elle attend de la place sur ce téléphone, et n’est pas encore gardée.`}
        </Notice>
      ))}
      {refused.map(({ id, name, why }) => (
        <Notice key={id} tone="danger" live="alert">
          <bdi>{name}</bdi>
          {t` : `}
          {translate(photoLabels[why])}
        </Notice>
      ))}
    </div>
  )
}

/** A DOM element loses the focus when it is moved: restores it after the render. */
function useFocusThatStays(ids: readonly string[]): () => void {
  const focused = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    focused.current?.focus({ preventScroll: true })
    focused.current = null
  }, [ids])
  return () => {
    focused.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
  }
}

interface PhotoRowProps {
  id: string
  index: number
  photos: Photos
  reorder: Reorder
  move: (id: string, place: number) => void
  bad: Sentence | null
}

function PhotoRow({ id, index, photos, reorder, move, bad }: PhotoRowProps) {
  const { t } = useLingui()
  const translate = useTranslate()
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
        <p className="quiet">
          {index === 0 && <strong>{t`Couverture`}</strong>}
          {index === 0 && file && ' · '}
          {file && format.bytes(file.size)}
        </p>
        {bad !== null && (
          <p role="alert" className={css.bad}>
            {t`Photo ${n}`}
            {t` : `}
            {translate(bad)}
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
            icon={Trash2}
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

interface FileChoiceProps {
  label: string
  icon: Icon
  several?: boolean
  camera?: boolean
  className?: string | undefined
  onChoose: (coming: readonly Incoming[]) => void
}

function FileChoice({
  label,
  icon: Sign,
  several = false,
  camera = false,
  className,
  onChoose,
}: FileChoiceProps) {
  function choose({ target }: ChangeEvent<HTMLInputElement>): void {
    const chosen = [...(target.files ?? [])].map((file) => ({
      id: commandId(),
      name: file.name,
      file,
    }))
    // Allows choosing the same file again after removing it.
    target.value = ''
    if (chosen.length > 0) onChoose(chosen)
  }

  return (
    <label className={classes(css.add, className)}>
      <Sign />
      <span>{label}</span>
      <input
        type="file"
        multiple={several}
        accept="image/*"
        {...(camera && { capture: 'environment' })}
        className="unseen"
        onChange={choose}
      />
    </label>
  )
}
