import { useLingui } from '@lingui/react/macro'
import { ZoomIn, ZoomOut } from 'lucide-react'
import {
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import type { Image } from '#schema/wire/shapes'
import { useSaveData } from '../../data/saveData.ts'
import { Picture } from '../../parts/Picture.tsx'
import { onKeyDown } from '../../ui/effects.ts'
import { IconButton } from '../../ui/Button.tsx'
import css from './FullScreen.module.css'
import { Strip, type StripHandle } from './Strip.tsx'
import {
  bounded,
  type Box,
  dismisses,
  distance,
  DOUBLE_TAP_SCALE,
  isDoubleTap,
  moved,
  pinched,
  type Point,
  scaledAt,
  type Tap,
  type View,
  WHOLE,
} from './zoom.ts'

const STEP = 1.6

export interface Photos {
  images: readonly Image[]
  title: string
  category: string
}

/** `loaded`: per photo, the file that the page shows, or an empty text. */
export function FullScreen({
  images,
  title,
  category,
  at,
  onMove,
  loaded,
  onClose,
}: Photos & {
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
  useEffect(() => onKeyDown((event) => onKey(event)), [])

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

interface ZoomHandle {
  by(factor: number): void
  reset(): void
}

const CENTRE: Point = { x: 0, y: 0 }
const TAP_PX = 10
/** Where a dragged photo is at its palest. */
const FADE_PX = 400

/**
 * The browser scrolls the strip on swipes to the side. Written to the element, not to state: a
 * finger moves faster than a slow phone renders.
 */
function Zoomable({
  handle,
  photo,
  zoomed,
  onZoom,
  onDismiss,
  children,
}: {
  handle: Ref<ZoomHandle> | null
  photo: Box
  zoomed: boolean
  onZoom: (zoomed: boolean) => void
  onDismiss: () => void
  children: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const shown = useRef<HTMLDivElement>(null)
  const view = useRef<View>(WHOLE)
  const fingers = useRef(new Map<number, Point>())
  const start = useRef<(Tap & { moved: boolean }) | null>(null)
  const lastTap = useRef<Tap | null>(null)

  function show(next: View, eased: boolean) {
    const [box, element] = [frame.current, shown.current]
    if (!box || !element) return
    const size = { width: box.clientWidth, height: box.clientHeight }
    view.current = bounded(next, photo, size)
    const { scale, x, y } = view.current
    element.classList.toggle(css['eased'] ?? '', eased)
    element.style.transform = scale === 1 ? '' : `translate(${x}px, ${y}px) scale(${scale})`
    onZoom(scale > 1)
  }

  useImperativeHandle(handle, () => ({
    by: (factor) => show(scaledAt(view.current, factor, CENTRE), true),
    reset: () => show(WHOLE, true),
  }))

  const reset = useEffectEvent(() => {
    if (view.current.scale > 1) show(WHOLE, false)
  })
  useEffect(() => {
    if (!zoomed) reset()
  }, [zoomed])

  const wheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return
    event.preventDefault()
    show(scaledAt(view.current, Math.exp(-event.deltaY / 100), pointIn(event)), false)
  })
  useEffect(() => {
    const box = frame.current
    const listener = (event: WheelEvent) => wheel(event)
    // React's wheel listener is passive: the browser would zoom the page.
    box?.addEventListener('wheel', listener, { passive: false })
    return () => box?.removeEventListener('wheel', listener)
  }, [])

  function pointIn({ clientX, clientY }: { clientX: number; clientY: number }) {
    const box = frame.current?.getBoundingClientRect()
    return box
      ? { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
      : CENTRE
  }

  function drag(y: number, eased: boolean) {
    const [element, dialog] = [shown.current, frame.current?.closest('dialog')]
    if (!element || !dialog) return
    element.classList.toggle(css['eased'] ?? '', eased)
    element.style.transform = y > 0 ? `translateY(${y}px)` : ''
    dialog.style.opacity = y > 0 ? String(1 - Math.min(0.6, y / FADE_PX)) : ''
  }

  function onDown(event: PointerEvent<HTMLDivElement>) {
    if (event.pointerType === 'mouse' && event.button !== 0) return
    const point = pointIn(event)
    fingers.current.set(event.pointerId, point)
    start.current =
      fingers.current.size === 1 ? { ...point, at: event.timeStamp, moved: false } : null
    if (fingers.current.size === 2) drag(0, false)
    if (view.current.scale > 1) event.currentTarget.setPointerCapture(event.pointerId)
  }

  function onMove(event: PointerEvent<HTMLDivElement>) {
    const from = fingers.current.get(event.pointerId)
    if (!from) return
    const to = pointIn(event)
    const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId)
    fingers.current.set(event.pointerId, to)
    const first = start.current
    if (first && distance(first, to) > TAP_PX) first.moved = true
    if (other) show(pinched(view.current, [from, other[1]], [to, other[1]]), false)
    else if (view.current.scale > 1)
      show(moved(view.current, { x: to.x - from.x, y: to.y - from.y }), false)
    else if (first?.moved === true && event.pointerType !== 'mouse') drag(to.y - first.y, false)
  }

  function onUp(event: PointerEvent<HTMLDivElement>) {
    if (!fingers.current.delete(event.pointerId)) return
    const first = start.current
    start.current = null
    if (!first) return
    const point = pointIn(event)
    if (!first.moved) return tap({ ...point, at: event.timeStamp })
    if (view.current.scale > 1 || event.pointerType === 'mouse') return
    const by = { x: point.x - first.x, y: point.y - first.y }
    if (dismisses(by, event.timeStamp - first.at)) onDismiss()
    else drag(0, true)
  }

  /** The browser scrolls the strip from here on. */
  function onCancel(event: PointerEvent<HTMLDivElement>) {
    fingers.current.delete(event.pointerId)
    start.current = null
    if (view.current.scale === 1) drag(0, true)
  }

  function tap(one: Tap) {
    const twice = isDoubleTap(lastTap.current, one)
    lastTap.current = twice ? null : one
    if (!twice) return
    show(view.current.scale > 1 ? WHOLE : scaledAt(view.current, DOUBLE_TAP_SCALE, one), true)
  }

  return (
    <div
      ref={frame}
      className={css.frame}
      data-zoomed={zoomed || undefined}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={onUp}
      onPointerCancel={onCancel}
    >
      <div ref={shown} className={css.shown}>
        {children}
      </div>
    </div>
  )
}
