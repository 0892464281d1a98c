import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { landing } from './photoOrder.ts'

/** Near the edges, px, the page scrolls under the finger; header and navigation cover this area. */
const EDGE_PX = 110
const SCROLL_PX = 8

interface Drag {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly by: number
  readonly step: number
}

interface Hold {
  readonly id: string
  readonly from: number
  readonly startY: number
  readonly middles: readonly number[]
  clientY: number
  frame: number
}

export type Reorder = ReturnType<typeof useReorder>

/**
 * Reorders a column by handles: drag, or arrow keys; Escape cancels. `move` takes a 0-based index.
 */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  ids: readonly string[],
  move: (id: string, place: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const hold = useRef<Hold | null>(null)

  useEffect(() => () => letGo(), [])

  function take(event: PointerEvent<HTMLElement>, id: string): void {
    if (!event.isPrimary || event.button !== 0 || !list.current) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const middles = [...list.current.children].map((entry) => {
      const { top, height } = entry.getBoundingClientRect()
      return top + height / 2 + scrollY
    })
    hold.current = {
      id,
      from: ids.indexOf(id),
      startY: event.clientY + scrollY,
      middles,
      clientY: event.clientY,
      frame: 0,
    }
    hold.current.frame = requestAnimationFrame(follow)
  }

  function follow(): void {
    const now = hold.current
    if (!now) return
    if (now.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX)
    else if (now.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX)
    const by = now.clientY + scrollY - now.startY
    const to = landing(now.middles, now.from, by)
    const step = (now.middles[1] ?? 0) - (now.middles[0] ?? 0)
    setDrag((old) => ((old?.by ?? 0) === by ? old : { id: now.id, from: now.from, to, by, step }))
    now.frame = requestAnimationFrame(follow)
  }

  function drop(): void {
    const now = hold.current
    if (!now) return
    letGo()
    const to = landing(now.middles, now.from, now.clientY + scrollY - now.startY)
    if (to !== now.from) move(now.id, to)
  }

  function letGo(): void {
    if (hold.current) cancelAnimationFrame(hold.current.frame)
    hold.current = null
    setDrag(null)
  }

  function press(event: KeyboardEvent<HTMLElement>, id: string): void {
    if (event.key === 'Escape' && hold.current) return letGo()
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (by === 0) return
    event.preventDefault()
    move(id, ids.indexOf(id) + by)
  }

  function shift(id: string): number {
    if (!drag) return 0
    if (id === drag.id) return drag.by
    const place = ids.indexOf(id)
    if (place > drag.from && place <= drag.to) return -drag.step
    return place < drag.from && place >= drag.to ? drag.step : 0
  }

  return {
    dragged: drag?.id ?? null,
    shift,
    /** For an entry's handle, which alone blocks scrolling (`touch-action: none`). */
    handle: (id: string) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => take(event, id),
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (hold.current) hold.current.clientY = event.clientY
      },
      onPointerUp: drop,
      onPointerCancel: letGo,
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => press(event, id),
    }),
  }
}
