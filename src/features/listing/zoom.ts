export interface Point {
  readonly x: number
  readonly y: number
}

export interface Box {
  readonly width: number
  readonly height: number
}

/** `x`, `y`: the offset of its centre from the frame's, px. */
export interface View extends Point {
  readonly scale: number
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 }
export const SCALE_MAX = 4
export const DOUBLE_TAP_SCALE = 2.5

const DOUBLE_TAP_MS = 300
const DOUBLE_TAP_PX = 40
const DISMISS_PX = 120
const FLICK_PX = 40
const FLICK_PX_PER_MS = 0.5

export function fitted(photo: Box, frame: Box): Box {
  const ratio = Math.min(frame.width / photo.width, frame.height / photo.height)
  return { width: photo.width * ratio, height: photo.height * ratio }
}

/** The nearest view not smaller than whole and without avoidable gaps. */
export function bounded(view: View, photo: Box, frame: Box): View {
  const scale = within(view.scale, 1, SCALE_MAX)
  const shown = fitted(photo, frame)
  const spareX = Math.max(0, (shown.width * scale - frame.width) / 2)
  const spareY = Math.max(0, (shown.height * scale - frame.height) / 2)
  return { scale, x: within(view.x, -spareX, spareX), y: within(view.y, -spareY, spareY) }
}

/** `point`: relative to the frame's centre; what it shows stays there. */
export function scaledAt(view: View, factor: number, point: Point): View {
  const scale = within(view.scale * factor, 1, SCALE_MAX)
  const real = scale / view.scale
  return {
    scale,
    x: point.x - (point.x - view.x) * real,
    y: point.y - (point.y - view.y) * real,
  }
}

export function moved(view: View, by: Point): View {
  return { scale: view.scale, x: view.x + by.x, y: view.y + by.y }
}

export function pinched(
  view: View,
  from: readonly [Point, Point],
  to: readonly [Point, Point],
): View {
  const [before, after] = [middle(...from), middle(...to)]
  const spread = distance(...from)
  const scaled = scaledAt(view, spread === 0 ? 1 : distance(...to) / spread, before)
  return moved(scaled, { x: after.x - before.x, y: after.y - before.y })
}

export interface Tap extends Point {
  readonly at: number
}

export function isDoubleTap(first: Tap | null, tap: Tap) {
  return first !== null && tap.at - first.at < DOUBLE_TAP_MS && distance(first, tap) < DOUBLE_TAP_PX
}

/** Far, or short and fast. `by` in px, `ms` since its start. */
export function dismisses(by: Point, ms: number) {
  if (by.y <= Math.abs(by.x)) return false
  return by.y > DISMISS_PX || (by.y > FLICK_PX && by.y / Math.max(1, ms) > FLICK_PX_PER_MS)
}

export function distance(one: Point, other: Point) {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function middle(one: Point, other: Point) {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}

function within(value: number, least: number, most: number) {
  return Math.min(most, Math.max(least, value))
}
