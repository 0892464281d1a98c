const SOON_MS = 400
const NEAR_PX = 24

type Tap = Readonly<{
  at: number
  x: number
  y: number
  /** The dialog or menu that was tapped; null: the page. */
  layer: object | null
}>

let last: Tap | null = null

/** Ignores the second tap of a double tap if the first closed a dialog or menu. */
export function oneTapOneThing() {
  addEventListener('click', onClick, { capture: true })
}

function onClick(event: MouseEvent) {
  if (event.detail === 0 || !(event.target instanceof Element)) return
  const tap: Tap = {
    at: event.timeStamp,
    x: event.clientX,
    y: event.clientY,
    layer: event.target.closest('dialog, [popover]'),
  }
  if (last !== null && isSecond(last, tap)) {
    event.preventDefault()
    event.stopImmediatePropagation()
  } else last = tap
}

export function isSecond(first: Tap, tap: Tap) {
  return (
    first.layer !== null &&
    tap.layer === null &&
    tap.at - first.at < SOON_MS &&
    Math.hypot(tap.x - first.x, tap.y - first.y) < NEAR_PX
  )
}
