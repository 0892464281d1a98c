import { expect, test } from 'vitest'
import {
  bounded,
  dismisses,
  fitted,
  isDoubleTap,
  moved,
  pinched,
  scaledAt,
  SCALE_MAX,
  type View,
  WHOLE,
} from './zoom.ts'

const frame = { width: 360, height: 640 }
const photo = { width: 1280, height: 960 }

test('[S13.23] a photo is whole in the frame, whatever its shape', () => {
  expect(fitted(photo, frame)).toEqual({ width: 360, height: 270 })
  expect(fitted({ width: 100, height: 400 }, frame)).toEqual({ width: 160, height: 640 })
})

test('[S13.23] what is under the finger stays there while the photo grows', () => {
  const point = { x: 100, y: -50 }
  const view = scaledAt({ scale: 2, x: 30, y: 10 }, 1.5, point)
  expect(view.scale).toBe(3)
  const shownBefore = { x: (point.x - 30) / 2, y: (point.y - 10) / 2 }
  expect((point.x - view.x) / view.scale).toBeCloseTo(shownBefore.x)
  expect((point.y - view.y) / view.scale).toBeCloseTo(shownBefore.y)
})

test('[S13.23] a photo is never smaller than whole, nor larger than its largest scale', () => {
  expect(scaledAt(WHOLE, 0.2, { x: 50, y: 50 })).toEqual(WHOLE)
  expect(scaledAt(WHOLE, 100, { x: 0, y: 0 }).scale).toBe(SCALE_MAX)
  expect(bounded({ scale: 0.5, x: 40, y: 40 }, photo, frame)).toEqual(WHOLE)
})

test.each<readonly [string, View, View]>([
  ['moves up to its edge', { scale: 3, x: 999, y: -999 }, { scale: 3, x: 360, y: -85 }],
  [
    'stays centred where it does not fill the frame',
    { scale: 2, x: 10, y: 80 },
    { scale: 2, x: 10, y: 0 },
  ],
  ['keeps a view that is allowed', { scale: 3, x: -100, y: 50 }, { scale: 3, x: -100, y: 50 }],
])('[S13.23] an enlarged photo %s', (_, asked, given) => {
  expect(bounded(asked, photo, frame)).toEqual(given)
})

test('[S13.23] two fingers enlarge by their spread and carry the photo along', () => {
  const view = pinched(
    WHOLE,
    [
      { x: -50, y: 0 },
      { x: 50, y: 0 },
    ],
    [
      { x: -80, y: 20 },
      { x: 120, y: 20 },
    ],
  )
  expect(view).toEqual({ scale: 2, x: 20, y: 20 })
  const still = { x: 5, y: 5 }
  expect(pinched(WHOLE, [still, still], [still, still])).toEqual(WHOLE)
  expect(moved(view, { x: -20, y: -20 })).toEqual({ scale: 2, x: 0, y: 0 })
})

test('[S13.23] two taps are one double tap only if they are near in time and place', () => {
  const first = { x: 10, y: 10, at: 1000 }
  expect(isDoubleTap(null, first)).toBe(false)
  expect(isDoubleTap(first, { x: 20, y: 12, at: 1250 })).toBe(true)
  expect(isDoubleTap(first, { x: 20, y: 12, at: 1400 })).toBe(false)
  expect(isDoubleTap(first, { x: 90, y: 10, at: 1100 })).toBe(false)
})

test('[S13.24] a long or a fast drag down closes; a short, slow, sideways or upward one does not', () => {
  expect(dismisses({ x: 10, y: 200 }, 900)).toBe(true)
  expect(dismisses({ x: 10, y: 60 }, 80)).toBe(true)
  expect(dismisses({ x: 10, y: 60 }, 600)).toBe(false)
  expect(dismisses({ x: 200, y: 150 }, 100)).toBe(false)
  expect(dismisses({ x: 0, y: -200 }, 100)).toBe(false)
})
