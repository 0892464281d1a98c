import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const LONG_MS = 450
const MOVED_PX = 10

export interface Place {
  readonly x: number
  readonly y: number
}

/**
 * A long press, right click or menu key on `data-message`, or a click on its `data-actions` button.
 * Safari on iPhones has no `contextmenu`: presses are timed.
 */
export function usePress(open: (message: string, place: Place) => void) {
  const pressed = useRef<{ timer: ReturnType<typeof setTimeout>; place: Place } | null>(null)
  const end = () => {
    clearTimeout(pressed.current?.timer)
    pressed.current = null
  }
  useEffect(() => end, [])

  return {
    onPointerDown({ target, pointerType, clientX: x, clientY: y }: PointerEvent) {
      end()
      const message = messageAt(target)
      if (pointerType !== 'touch' || message === null) return
      const timer = setTimeout(() => {
        end()
        open(message, { x, y })
      }, LONG_MS)
      pressed.current = { timer, place: { x, y } }
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = pressed.current?.place
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > MOVED_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu(event: MouseEvent) {
      end()
      const message = messageAt(event.target)
      // Selected words keep the browser's menu.
      if (message === null || getSelection()?.isCollapsed === false) return
      event.preventDefault()
      open(message, placeOf(event))
    },
    onClick(event: MouseEvent) {
      const { target } = event
      const button = target instanceof Element ? target.closest('[data-actions]') : null
      const message = button && messageAt(button)
      if (button && message !== null) open(message, placeOf(event))
    },
  }
}

/** With a key: the place of the focused element. */
function placeOf({ clientX: x, clientY: y, detail, target }: MouseEvent) {
  if (detail > 0 || x > 0 || y > 0 || !(target instanceof Element)) return { x, y }
  const { left, bottom } = target.getBoundingClientRect()
  return { x: left, y: bottom }
}

/** Under a target, or the last one of the row whose button it is. */
function messageAt(target: EventTarget) {
  if (!(target instanceof Element)) return null
  const own = target.closest('[data-message]')
  const button = target.closest('[data-actions]')
  const found = own ?? button?.parentElement?.querySelector('[data-message]:last-child') ?? null
  return found?.getAttribute('data-message') ?? null
}
