import { Trans, useLingui } from '@lingui/react/macro'
import {
  ArrowLeft,
  ArrowRight,
  Camera,
  ImagePlus,
  Images,
  RotateCw,
  Star,
  Trash2,
  TriangleAlert,
} from 'lucide-react'
import { type ComponentProps, useId, useLayoutEffect, useRef, useState } from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import { commandId } from '../../data/ask.ts'
import { useFormat } from '../../locales/format.ts'
import { Button, type Icon } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { chosenFiles } from '../../ui/chosenFiles.ts'
import { Notice } from '../../ui/Notice.tsx'
import { DraftPhoto } from './DraftPhoto.tsx'
import css from './PhotoList.module.css'
import { type BadPhoto, photoLabels, PhotoProblem } from './photoLabels.tsx'
import { Ring } from './Ring.tsx'
import type { Incoming, Photos } from './usePhotos.ts'
import { useReorder } from './useReorder.ts'

/** The cover first; a tap shows actions [S13.41]. */
export function PhotoList({
  photos,
  bad = null,
  brief = false,
  onAsk,
}: {
  photos: Photos
  bad?: BadPhoto | null
  brief?: boolean
  /** Before the browser asks: the inputs must stay until they have a file. */
  onAsk?: () => void
}) {
  const { t } = useLingui()
  const list = useRef<HTMLOListElement>(null)
  const help = useId()
  const [announcement, setAnnouncement] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  const { ids, busy, changing, files, refused, waiting } = photos
  const stay = useFocusThatStays(ids)
  const reorder = useReorder(list, ids, move)
  const most = IMAGES_PER_LISTING
  const pending = changing === null ? Math.min(busy, most - ids.length) : 0
  const n = bad ? ids.indexOf(bad.id) + 1 : 0
  const preparing = <Ring label={t`Préparation de la photo`} />
  const add = {
    onClick: onAsk,
    onChoose: (coming: readonly Incoming[]) => void photos.add(coming),
  }

  function move(id: string, to: number) {
    if (to < 0 || to >= ids.length) return
    stay()
    photos.move(id, to)
    const place = to + 1
    setAnnouncement(t`Photo en place ${place} sur ${ids.length}`)
  }

  return (
    <div className="spaced">
      {ids.length + pending > 0 && (
        <div className={css.grid}>
          {ids.length > 0 && (
            // Safari drops the list role from lists without markers.
            // oxlint-disable-next-line jsx-a11y/no-redundant-roles
            <ol ref={list} role="list" aria-label={t`Photos`} className={css.list}>
              {ids.map((id, index) => {
                const { x, y } = reorder.shift(id)
                const name = t`Photo ${index + 1}`
                const isDragged = reorder.dragged === id
                return (
                  <li
                    key={id}
                    data-photo={id}
                    data-dragged={isDragged ? '' : undefined}
                    className={classes(
                      css.photo,
                      isDragged ? css.lifted : reorder.dragged !== null && css.giving,
                    )}
                    style={x === 0 && y === 0 ? undefined : { translate: `${x}px ${y}px` }}
                  >
                    <button
                      type="button"
                      aria-label={index === 0 ? t`${name}, couverture` : name}
                      aria-expanded={open === id}
                      aria-describedby={ids.length > 1 ? help : undefined}
                      className={css.square}
                      onClick={() => setOpen(id === open ? null : id)}
                      {...reorder.handle(id)}
                    >
                      <DraftPhoto
                        id={id}
                        file={files.get(id) ?? null}
                        alt={name}
                        className={css.shot}
                      />
                      {index === 0 && <span className={css.first}>{t`Couverture`}</span>}
                      {changing === id && <span className="veil">{preparing}</span>}
                      {bad?.id === id && <TriangleAlert className={css.sign} />}
                    </button>
                  </li>
                )
              })}
            </ol>
          )}
          {Array.from({ length: pending }, (_, at) => (
            <span key={at} className={classes(css.photo, 'blank')}>
              {preparing}
            </span>
          ))}
        </div>
      )}
      {ids.length > 1 && (
        <p id={help} className="unseen">
          {t`Glisser, ou flèches : changer de place.`}
        </p>
      )}
      {open !== null && ids.includes(open) && (
        <PhotoActions id={open} photos={photos} move={move} />
      )}
      <p role="status" className="unseen">
        {busy > 0 ? t`Préparation des photos…` : announcement}
      </p>
      {bad !== null && n > 0 && (
        <>
          <p role="alert" className={css.bad}>
            <PhotoProblem name={t`Photo ${n}`} why={bad.text} />
          </p>
          <FileChoice
            label={t`Remplacer la photo ${n}`}
            icon={ImagePlus}
            onChoose={([coming]) => coming && void photos.replace(bad.id, coming)}
          />
        </>
      )}
      <div className={css.ways}>
        <FileChoice
          {...add}
          label={t`Prendre une photo`}
          icon={Camera}
          capture="environment"
          className={css.camera}
        />
        <FileChoice {...add} label={t`Ajouter des photos`} icon={Images} multiple />
      </div>
      {!brief && (
        <p className="quiet">
          {ids.length > 1 ? (
            <Trans>Touchez une photo pour la changer, tenez-la pour la déplacer.</Trans>
          ) : (
            <Trans>Jusqu’à {most} photos. Une annonce avec photos se vend plus vite.</Trans>
          )}
        </p>
      )}
      {waiting.map(({ id, name }) => (
        <Notice
          key={id}
          tone="wait"
          live="alert"
          action={<Button onClick={() => photos.giveUp(id)}>{t`Retirer`}</Button>}
        >
          <PhotoProblem
            name={name}
            why={t`elle attend de la place sur ce téléphone, et n’est pas encore gardée.`}
          />
        </Notice>
      ))}
      {refused.map(({ id, name, why }) => (
        <Notice key={id} tone="danger" live="alert">
          <PhotoProblem name={name} why={photoLabels[why]} />
        </Notice>
      ))}
    </div>
  )
}

/** A moved DOM element loses the focus: restores it. */
function useFocusThatStays(ids: readonly string[]) {
  const focused = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    focused.current?.focus({ preventScroll: true })
    focused.current = null
  }, [ids])
  return () => {
    focused.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
  }
}

function FileChoice({
  label,
  icon: Sign,
  className,
  onChoose,
  ...input
}: ComponentProps<'input'> & {
  label: string
  icon: Icon
  onChoose: (coming: readonly Incoming[]) => void
}) {
  return (
    <label className={classes(css.add, className)}>
      <Sign />
      <span>{label}</span>
      <input
        {...input}
        type="file"
        accept="image/*"
        className="unseen"
        onChange={chosenFiles((files) =>
          onChoose(files.map((file) => ({ id: commandId(), name: file.name, file }))),
        )}
      />
    </label>
  )
}

function PhotoActions({
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
  const isFirst = index === 0
  const isLast = n === photos.ids.length
  const cannotTurn = !file || photos.busy > 0
  const cover = t`Couverture : mettre la photo ${n} en premier`
  const turn = () => void photos.turn(id, t`Photo ${n}`)
  const actions = [
    [Star, t`Couverture`, cover, () => move(id, 0), isFirst],
    [ArrowLeft, t`Avancer`, t`Avancer la photo ${n}`, () => move(id, index - 1), isFirst],
    [ArrowRight, t`Reculer`, t`Reculer la photo ${n}`, () => move(id, index + 1), isLast],
    [RotateCw, t`Tourner`, t`Tourner la photo ${n}`, turn, cannotTurn],
    [Trash2, t`Retirer`, t`Retirer la photo ${n}`, () => void photos.remove(id), false],
  ] as const
  return (
    <div role="group" aria-label={t`Actions pour la photo ${n}`} className={css.panel}>
      <p className="quiet">
        {t`Photo ${n}`}
        {file && ` · ${format.bytes(file.size)}`}
      </p>
      <div className={css.actions}>
        {actions.map(([Sign, text, label, act, disabled]) => (
          <button
            key={text}
            type="button"
            aria-label={label}
            disabled={disabled}
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
