import { Trans, useLingui } from '@lingui/react/macro'
import Camera from 'lucide-react/icons/camera'
import ImagePlus from 'lucide-react/icons/image-plus'
import Images from 'lucide-react/icons/images'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ChangeEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import type { Sentence } from '../../locales/problems.ts'
import { useTranslate } from '../../locales/translate.ts'
import { Button, type Icon } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { classes } from '../../ui/classes.ts'
import { DraftPhoto } from './DraftPhoto.tsx'
import css from './PhotoList.module.css'
import { photoLabels } from './photoLabels.ts'
import { Ring } from './Ring.tsx'
import type { Incoming, Photos } from './usePhotos.ts'
import { type Reorder, useReorder } from './useReorder.ts'
import { commandId } from '../../data/send.ts'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import ArrowRight from 'lucide-react/icons/arrow-right'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Star from 'lucide-react/icons/star'
import Trash2 from 'lucide-react/icons/trash-2'
import { useFormat } from '../../locales/format.ts'

export interface BadPhoto {
  readonly id: string
  readonly text: Sentence
}

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
  onAsk?: () => void
}) {
  const { t } = useLingui()
  const translate = useTranslate()
  const list = useRef<HTMLOListElement>(null)
  const help = useId()
  const [announcement, setAnnouncement] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  const stay = useFocusThatStays(photos.ids)
  const reorder = useReorder(list, photos.ids, move)
  const { ids, busy, refused, waiting } = photos
  const most = IMAGES_PER_LISTING
  const pending = photos.changing === null ? Math.min(busy, most - ids.length) : 0
  const n = bad ? ids.indexOf(bad.id) + 1 : 0

  function move(id: string, to: number): void {
    if (to < 0 || to >= ids.length) return
    stay()
    photos.move(id, to)
    const place = to + 1
    setAnnouncement(t`Photo en place ${place} sur ${ids.length}`)
  }

  const add = (coming: readonly Incoming[]): void => void photos.add(coming)

  return (
    <div className={css.photos}>
      {ids.length + pending > 0 && (
        <div className={css.grid}>
          {ids.length > 0 && (
            <Squares
              list={list}
              photos={photos}
              reorder={reorder}
              help={help}
              open={open}
              onOpen={(id) => setOpen(id === open ? null : id)}
              bad={bad?.id ?? null}
            />
          )}
          {Array.from({ length: pending }, (_, at) => (
            <span key={at} className={css.pending}>
              <Ring done={null} label={t`Préparation de la photo`} />
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
            {t`Photo ${n}`}
            {t` : `}
            {translate(bad.text)}
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
          label={t`Prendre une photo`}
          icon={Camera}
          camera
          className={css.camera}
          onAsk={onAsk}
          onChoose={add}
        />
        <FileChoice
          label={t`Ajouter des photos`}
          icon={Images}
          several
          onAsk={onAsk}
          onChoose={add}
        />
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

/** A moved DOM element loses the focus: restores it. */
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

function Squares({
  list,
  photos: { ids, files, changing },
  reorder,
  help,
  open,
  onOpen,
  bad,
}: {
  list: RefObject<HTMLOListElement | null>
  photos: Photos
  reorder: Reorder
  help: string
  open: string | null
  onOpen: (id: string) => void
  bad: string | null
}) {
  const { t } = useLingui()
  return (
    // Safari drops the list role from lists without markers.
    // oxlint-disable-next-line jsx-a11y/no-redundant-roles
    <ol ref={list} role="list" aria-label={t`Photos`} className={css.list}>
      {ids.map((id, index) => {
        const n = index + 1
        const { x, y } = reorder.shift(id)
        const name = t`Photo ${n}`
        return (
          <li
            key={id}
            data-photo={id}
            data-dragged={reorder.dragged === id ? '' : undefined}
            className={classes(
              css.photo,
              reorder.dragged === id ? css.lifted : reorder.dragged !== null && css.giving,
            )}
            style={x === 0 && y === 0 ? undefined : { translate: `${x}px ${y}px` }}
          >
            <button
              type="button"
              aria-label={index === 0 ? t`${name}, couverture` : name}
              aria-expanded={open === id}
              aria-describedby={ids.length > 1 ? help : undefined}
              className={css.square}
              onClick={() => onOpen(id)}
              {...reorder.handle(id)}
            >
              <DraftPhoto id={id} file={files.get(id) ?? null} alt={name} className={css.shot} />
              {index === 0 && <span className={css.first}>{t`Couverture`}</span>}
              {changing === id && (
                <span className={css.veil}>
                  <Ring done={null} label={t`Préparation de la photo`} />
                </span>
              )}
              {bad === id && <TriangleAlert className={css.sign} />}
            </button>
          </li>
        )
      })}
    </ol>
  )
}

interface Props {
  label: string
  icon: Icon
  several?: boolean
  camera?: boolean
  className?: string | undefined
  /** Before the browser asks: the input must stay until it has a file. */
  onAsk?: (() => void) | undefined
  onChoose: (coming: readonly Incoming[]) => void
}

function FileChoice({
  label,
  icon: Sign,
  several = false,
  camera = false,
  className,
  onAsk,
  onChoose,
}: Props) {
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
        onClick={onAsk}
        onChange={choose}
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
