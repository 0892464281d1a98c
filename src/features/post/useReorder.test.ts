import { expect, test } from 'vitest'
import { landing, movedTo, roomFor } from './useReorder.ts'

test('[S2.38] a photo moves within the list, never past its ends', () => {
  const ids = ['a', 'b', 'c']
  expect(movedTo(ids, 'a', 2)).toEqual(['b', 'c', 'a'])
  expect(movedTo(ids, 'c', 0)).toEqual(['c', 'a', 'b'])
  expect(movedTo(ids, 'b', 9)).toEqual(['a', 'c', 'b'])
  expect(movedTo(ids, 'b', -1)).toEqual(['b', 'a', 'c'])
  expect(movedTo(ids, 'b', 1)).toBe(ids)
  expect(movedTo(ids, 'none', 1)).toBe(ids)
})

/** Three in a row, then two. */
const centres = [0, 1, 2, 3, 4].map((at) => ({ x: 50 + 100 * (at % 3), y: at < 3 ? 50 : 150 }))

test('[S13.41] a dragged square lands on the nearest one, also in the next row', () => {
  expect(landing(centres, 0, { x: 20, y: 0 })).toBe(0)
  expect(landing(centres, 0, { x: 60, y: 0 })).toBe(1)
  expect(landing(centres, 0, { x: 5, y: 95 })).toBe(3)
  expect(landing(centres, 4, { x: 90, y: -120 })).toBe(2)
  expect(landing([], 0, { x: 0, y: 0 })).toBe(0)
})

test('[S13.41] the squares in between make room towards the gap', () => {
  const drag = { from: 1, to: 3 }
  expect(roomFor(centres, 0, drag)).toEqual({ x: 0, y: 0 })
  expect(roomFor(centres, 2, drag)).toEqual({ x: -100, y: 0 })
  expect(roomFor(centres, 3, drag)).toEqual({ x: 200, y: -100 })
  expect(roomFor(centres, 3, { from: 4, to: 2 })).toEqual({ x: 100, y: 0 })
})
