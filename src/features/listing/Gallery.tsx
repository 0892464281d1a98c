import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSaveData } from '../../data/saveData.ts'
import { PhotoDialog } from '../../parts/PhotoDialog.tsx'
import { Picture } from '../../parts/Picture.tsx'
import type { Photos } from './FullScreen.tsx'
import css from './Gallery.module.css'
import { Strip, type StripHandle } from './Strip.tsx'
import { after, onKeyDown } from '../../ui/effects.ts'

const loadFullScreen = () => import('./FullScreen.tsx')
const FullScreen = lazy(async () => ({ default: (await loadFullScreen()).FullScreen }))

const AHEAD_MS = 1000

export function Gallery(photos: Photos) {
  const { images, title, category } = photos
  const { t } = useLingui()
  const saveData = useSaveData()
  const [at, setAt] = useState(0)
  const [whole, setWhole] = useState(false)
  const [loaded, setLoaded] = useState<readonly string[]>([])
  const gallery = useRef<HTMLDivElement>(null)
  const strip = useRef<StripHandle>(null)
  useLoadedAhead(images.length > 0)

  if (images.length === 0) {
    return (
      <div className={css.gallery}>
        <Picture
          image={null}
          alt={t`Sans photo`}
          category={category}
          sizes="100vw"
          widest={1280}
          className={css.none}
        />
      </div>
    )
  }
  const open = () => {
    setLoaded(images.map(({ base }) => loadedIn(gallery.current, base)))
    setWhole(true)
  }
  return (
    <div ref={gallery} className={css.gallery}>
      <Strip count={images.length} at={at} onMove={setAt} handle={strip} placed={!whole}>
        {images.map((image, index) => (
          <div key={image.id}>
            <button
              type="button"
              className={css.open}
              aria-label={t`Agrandir la photo ${index + 1}`}
              onClick={open}
            />
            <Picture
              image={image}
              alt={t`Photo ${index + 1} : ${title}`}
              category={category}
              sizes="(width > 900px) min(58vw, 50rem), 100vw"
              widest={768}
              eager={index === 0}
              className={css.still}
            />
          </div>
        ))}
      </Strip>
      {images.length > 1 && !saveData && (
        <div className={css.small} role="group" aria-label={t`Toutes les photos`}>
          {images.map((image, index) => (
            <button
              key={image.id}
              type="button"
              aria-label={t`Photo ${index + 1}`}
              aria-pressed={index === at}
              className={css.one}
              onClick={() => strip.current?.go(index)}
            >
              <Picture
                image={image}
                alt=""
                category={category}
                sizes="80px"
                widest={160}
                className={css.still}
              />
            </button>
          ))}
        </div>
      )}
      <PhotoDialog open={whole} onClose={() => setWhole(false)} title={t`Photos de l’annonce`}>
        <Suspense
          fallback={
            <Meanwhile
              src={loaded[at] ?? ''}
              onStep={(step) => setAt(Math.max(0, Math.min(images.length - 1, at + step)))}
            />
          }
        >
          <FullScreen
            {...photos}
            at={at}
            onMove={setAt}
            loaded={loaded}
            onClose={() => setWhole(false)}
          />
        </Suspense>
      </PhotoDialog>
    </div>
  )
}

/** Until the full screen is loaded. */
function Meanwhile({ src, onStep }: { src: string; onStep: (step: 1 | -1) => void }) {
  const onKey = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') onStep(1)
    if (key === 'ArrowLeft') onStep(-1)
  })
  useEffect(() => onKeyDown((event) => onKey(event)), [])
  return src !== '' && <img src={src} alt="" className={css.meanwhile} />
}

/** The file that the page already shows; empty: none. */
function loadedIn(gallery: HTMLElement | null, base: string) {
  const photo = [...(gallery?.querySelectorAll('img') ?? [])].find(
    ({ complete, naturalWidth, currentSrc, alt }) =>
      complete && naturalWidth > 0 && currentSrc.includes(base) && alt !== '',
  )
  return photo?.currentSrc ?? ''
}

/** After the page, so that the first tap finds the code. */
function useLoadedAhead(wanted: boolean) {
  const saveData = useSaveData()
  useEffect(() => {
    if (!wanted || saveData) return undefined
    return after(AHEAD_MS, () => void loadFullScreen().catch(() => undefined))
  }, [wanted, saveData])
}
