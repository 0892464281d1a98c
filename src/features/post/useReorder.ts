import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { vibrate } from '../../ui/vibrate.ts'

/** Held so long it drags; moved before, it scrolls. */
const HOLD_MS = 250
const STILL_PX = 8

type Drag = Readonly<{
  id: string
  from: number
  to: number
  by: Point
  centres: readonly Point[]
}>

interface Press extends Pick<Drag, 'id'> {
  readonly start: Point
  readonly timer: ReturnType<typeof setTimeout> | undefined
  /** null: not dragging yet. */
  readonly centres: Drag['centres'] | null
}

const still: Point = { x: 0, y: 0 }
const pointOf = (event: { clientX: number; clientY: number }) => ({
  x: event.clientX + scrollX,
  y: event.clientY + scrollY,
})

/** By dragging a held entry or by arrow keys; Escape cancels. `move`: 0-based. */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  move: (id: string, place: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const press = useRef<Press | null>(null)
  /** The click that follows a drag opens nothing. */
  const dropped = useRef(false)

  useEffect(() => () => clearTimeout(press.current?.timer), [])

  useEffect(() => {
    const element = list.current
    // React's listeners are passive: the page would scroll under a drag.
    const hold = (event: TouchEvent) => {
      if (press.current?.centres) event.preventDefault()
    }
    element?.addEventListener('touchmove', hold, { passive: false })
    return () => element?.removeEventListener('touchmove', hold)
  })

  function down(event: PointerEvent<HTMLElement>, id: string) {
    if (!event.isPrimary || event.button !== 0) return
    dropped.current = false
    const { currentTarget, pointerId } = event
    const timer =
      event.pointerType === 'mouse'
        ? undefined
        : setTimeout(() => lift(currentTarget, pointerId), HOLD_MS)
    press.current = { id, start: pointOf(event), timer, centres: null }
  }

  function lift(element: HTMLElement, pointer: number) {
    const now = press.current
    if (!now || !list.current || ids.length < 2) return
    element.setPointerCapture(pointer)
    const centres = [...list.current.children].map((entry) => {
      const { left, top, width, height } = entry.getBoundingClientRect()
      return { x: left + width / 2 + scrollX, y: top + height / 2 + scrollY }
    })
    press.current = { ...now, centres }
    vibrate(10)
    const from = ids.indexOf(now.id)
    setDrag({ id: now.id, from, to: from, by: still, centres })
  }

  function follow(event: PointerEvent<HTMLElement>) {
    const now = press.current
    if (!now) return
    const by = minus(pointOf(event), now.start)
    const moved = Math.hypot(by.x, by.y) > STILL_PX
    if (!now.centres) {
      if (!moved) return
      if (event.pointerType === 'mouse') lift(event.currentTarget, event.pointerId)
      else letGo()
      return
    }
    const { id, centres } = now
    const from = ids.indexOf(id)
    setDrag({ id, from, to: landing(centres, from, by), by, centres })
  }

  function drop(event: PointerEvent<HTMLElement>) {
    const now = press.current
    letGo()
    if (!now?.centres) return
    dropped.current = true
    const from = ids.indexOf(now.id)
    const to = landing(now.centres, from, minus(pointOf(event), now.start))
    if (to !== from) move(now.id, to)
  }

  function letGo() {
    clearTimeout(press.current?.timer)
    press.current = null
    setDrag(null)
  }

  function key(event: KeyboardEvent<HTMLElement>, id: string) {
    if (event.key === 'Escape' && press.current) return letGo()
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    move(id, ids.indexOf(id) + by)
  }

  return {
    dragged: drag?.id ?? null,
    shift(id: string) {
      if (!drag) return still
      return id === drag.id ? drag.by : roomFor(drag.centres, ids.indexOf(id), drag)
    },
    handle: (id: string) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => down(event, id),
      onPointerMove: follow,
      onPointerUp: drop,
      onPointerCancel: letGo,
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => key(event, id),
      onClickCapture: (event: MouseEvent<HTMLElement>) => {
        if (dropped.current) event.stopPropagation()
        dropped.current = false
      },
      // The browser's menu would end the drag.
      onContextMenu: (event: MouseEvent<HTMLElement>) => {
        if (press.current) event.preventDefault()
      },
    }),
  }
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
}

export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id)
  const to = Math.min(ids.length - 1, Math.max(0, place))
  return from === -1 || from === to ? ids : ids.toSpliced(from, 1).toSpliced(to, 0, id)
}

interface Point {
  readonly x: number
  readonly y: number
}

const minus = (a: Point, b: Point) => ({ x: a.x - b.x, y: a.y - b.y })

/** The square with the nearest centre; `by` in px. */
export function landing(centres: readonly Point[], from: number, by: Point) {
  const start = centres[from]
  if (!start) return from
  const away = centres.map((centre) =>
    Math.hypot(centre.x - start.x - by.x, centre.y - start.y - by.y),
  )
  return away.indexOf(Math.min(...away))
}

/** px that a square moves to make room. */
export function roomFor(
  centres: readonly Point[],
  at: number,
  drag: { readonly from: number; readonly to: number },
): Point {
  const here = centres[at]
  const next =
    at > drag.from && at <= drag.to
      ? centres[at - 1]
      : at < drag.from && at >= drag.to
        ? centres[at + 1]
        : here
  return here && next ? minus(next, here) : still
}
