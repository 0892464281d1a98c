import { useLingui } from '@lingui/react/macro'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Image } from '#schema/wire/shapes'
import { PhotoDialog } from '../../parts/PhotoDialog.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import css from './Gallery.module.css'

interface Photos {
  images: readonly Image[]
  title: string
  category: string
}

export function Gallery({ images, title, category }: Photos) {
  const { t } = useLingui()
  const [at, setAt] = useState(0)
  const [whole, setWhole] = useState(false)
  const [loaded, setLoaded] = useState<readonly string[]>([])
  const place = useRef<HTMLDivElement>(null)
  const open = (): void => {
    const pictures = [...(place.current?.querySelectorAll('img') ?? [])]
    setLoaded(
      images.map(
        ({ base }) =>
          pictures.find(
            (one) => one.complete && one.naturalWidth > 0 && one.currentSrc.includes(base),
          )?.currentSrc ?? '',
      ),
    )
    setWhole(true)
  }
  if (images.length === 0) {
    return (
      <div className={css.gallery}>
        <Picture
          image={null}
          alt={t`Sans photo`}
          category={category}
          sizes="100vw"
          widest={1280}
          className={css.still}
        />
      </div>
    )
  }
  const shown = { images, title, category, at, onMove: setAt }
  return (
    <div ref={place} className={css.gallery}>
      <Strip {...shown} onOpen={open} behind={whole} />
      <PhotoDialog open={whole} onClose={() => setWhole(false)} title={t`Photos de l’annonce`}>
        <Strip {...shown} whole loaded={loaded} />
      </PhotoDialog>
    </div>
  )
}

function Strip({
  images,
  title,
  category,
  at,
  onMove,
  onOpen,
  whole = false,
  behind = false,
  loaded = [],
}: Photos & {
  at: number
  onMove: (at: number) => void
  onOpen?: () => void
  whole?: boolean
  behind?: boolean
  loaded?: readonly string[]
}) {
  const { t } = useLingui()
  const strip = useRef<HTMLDivElement>(null)
  const count = images.length

  function go(to: number): void {
    const shown = strip.current
    shown?.scrollTo({
      left: Math.max(0, Math.min(count - 1, to)) * shown.clientWidth,
      behavior: 'smooth',
    })
  }

  function keys(event: Pick<KeyboardEvent, 'key' | 'preventDefault'>): void {
    if (event.key === 'ArrowRight') go(at + 1)
    else if (event.key === 'ArrowLeft') go(at - 1)
    else return
    event.preventDefault()
  }

  // Opens, and returns, at the current photo, without scrolling through the others.
  const place = useEffectEvent(() => {
    const shown = strip.current
    if (!shown) return
    shown.scrollLeft = at * shown.clientWidth
    if (shown.contains(document.activeElement))
      shown.children[at]?.querySelector('button')?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (!behind) place()
  }, [behind])

  const anywhere = useEffectEvent(keys)
  useEffect(() => {
    if (!whole) return
    const listener = (event: KeyboardEvent): void => anywhere(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [whole])

  return (
    <div className={css.stage}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys swipe */}
      <div
        ref={strip}
        role="group"
        aria-roledescription={t`Galerie`}
        aria-label={t`Photo ${at + 1} sur ${count}`}
        className={css.strip}
        onKeyDown={whole ? undefined : keys}
        onScroll={({ currentTarget }) => {
          const shown = Math.round(currentTarget.scrollLeft / currentTarget.clientWidth)
          if (shown !== at && shown >= 0 && shown < count) onMove(shown)
        }}
      >
        {images.map((image, index) => {
          const picture = (
            <Picture
              image={image}
              alt={t`Photo ${index + 1} : ${title}`}
              category={category}
              sizes={whole ? '100vw' : '(min-width: 900px) 720px, 100vw'}
              widest={whole ? 1280 : 640}
              eager={index === (whole ? at : 0)}
              className={whole ? css.fit : css.still}
            />
          )
          return onOpen ? (
            <div key={image.id} className={css.photo}>
              <button
                type="button"
                className={css.open}
                aria-label={t`Agrandir la photo ${index + 1}`}
                onClick={onOpen}
              />
              {picture}
            </div>
          ) : (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- takes the arrow keys
            <div key={image.id} className={css.photo} tabIndex={index === at ? 0 : -1}>
              {(loaded[index] ?? '') !== '' && (
                <img src={loaded[index]} alt="" className={css.until} />
              )}
              {picture}
            </div>
          )
        })}
      </div>
      {count > 1 && (
        <>
          <span className={css.counter} aria-hidden="true">
            {at + 1} / {count}
          </span>
          <IconButton
            label={t`Photo précédente`}
            icon={ChevronLeft}
            aria-disabled={at === 0}
            className={classes(css.arrow, css.before)}
            onClick={() => go(at - 1)}
          />
          <IconButton
            label={t`Photo suivante`}
            icon={ChevronRight}
            aria-disabled={at === count - 1}
            className={classes(css.arrow, css.after)}
            onClick={() => go(at + 1)}
          />
        </>
      )}
    </div>
  )
}
