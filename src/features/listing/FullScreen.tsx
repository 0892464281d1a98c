import { useLingui } from '@lingui/react/macro'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Image } from '#schema/wire/shapes'
import { useSaveData } from '../../data/saveData.ts'
import { Picture } from '../../parts/Picture.tsx'
import { IconButton } from '../../ui/Button.tsx'
import css from './FullScreen.module.css'
import { Strip, type StripHandle } from './Strip.tsx'
import { Zoomable, type ZoomHandle } from './Zoomable.tsx'

const STEP = 1.6

/** `loaded`: per photo, the file that the page already shows, or an empty text. */
export function FullScreen({
  images,
  title,
  category,
  at,
  onMove,
  loaded,
  onClose,
}: {
  images: readonly Image[]
  title: string
  category: string
  at: number
  onMove: (at: number) => void
  loaded: readonly string[]
  onClose: () => void
}) {
  const { t } = useLingui()
  const saveData = useSaveData()
  const [zoomed, setZoomed] = useState(false)
  const strip = useRef<StripHandle>(null)
  const zoom = useRef<ZoomHandle>(null)

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowRight') strip.current?.go(at + 1)
    else if (event.key === 'ArrowLeft') strip.current?.go(at - 1)
    else if (event.key === '+' || event.key === '=') zoom.current?.by(STEP)
    else if (event.key === '-') zoom.current?.by(1 / STEP)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  return (
    <>
      <IconButton
        label={zoomed ? t`Photo entière` : t`Zoomer`}
        icon={zoomed ? ZoomOut : ZoomIn}
        className={css.zoom}
        onClick={() => (zoomed ? zoom.current?.reset() : zoom.current?.by(STEP * STEP))}
      />
      <Strip
        count={images.length}
        at={at}
        onMove={(to) => {
          setZoomed(false)
          onMove(to)
        }}
        handle={strip}
        placed
        still={zoomed}
        whole
      >
        {images.map((image, index) => {
          const src = loaded[index] ?? ''
          const current = index === at
          return (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- takes the arrow keys
            <div key={image.id} className={css.slide} tabIndex={current ? 0 : -1}>
              <Zoomable
                handle={current ? zoom : null}
                photo={image}
                zoomed={current && zoomed}
                onZoom={setZoomed}
                onDismiss={onClose}
              >
                {src !== '' && <img src={src} alt="" className={css.until} />}
                {saveData && src !== '' ? null : (
                  <Picture
                    image={image}
                    alt={t`Photo ${index + 1} : ${title}`}
                    category={category}
                    sizes={current && zoomed ? '300vw' : '100vw'}
                    widest={1280}
                    eager={current}
                    className={css.fit}
                  />
                )}
              </Zoomable>
            </div>
          )
        })}
      </Strip>
    </>
  )
}
