import { Trans, useLingui } from '@lingui/react/macro'
import Camera from 'lucide-react/icons/camera'
import Images from 'lucide-react/icons/images'
import { useLayoutEffect, useRef, useState } from 'react'
import { IMAGES_PER_LISTING } from '#schema/limits'
import type { Sentence } from '../../locales/problems.ts'
import { useSay } from '../../locales/say.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { FileChoice } from './FileChoice.tsx'
import css from './PhotoList.module.css'
import { PhotoRow } from './PhotoRow.tsx'
import { photoLabels } from './photoLabels.ts'
import type { Photos } from './usePhotos.ts'
import { useReorder } from './useReorder.ts'

export interface BadPhoto {
  readonly id: string
  readonly words: Sentence
}

export function PhotoList({ photos, bad }: { photos: Photos; bad: BadPhoto | null }) {
  const { t } = useLingui()
  const say = useSay()
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
              bad={bad?.id === id ? bad.words : null}
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
      <p className={css.note}>
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
          <Trans>elle attend de la place sur ce téléphone, et n’est pas encore gardée.</Trans>
        </Notice>
      ))}
      {refused.map(({ id, name, why }) => (
        <Notice key={id} tone="danger" live="alert">
          <bdi>{name}</bdi>
          {t` : `}
          {say(photoLabels[why])}
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
