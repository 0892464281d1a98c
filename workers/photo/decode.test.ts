import { expect, test } from 'vitest'
import { scaleOf } from './decode.ts'

test.each([
  [4000, 3000, 0.4],
  [3000, 4000, 0.4],
  [800, 600, 1],
  [4000, 400, 0.5],
  [12_000, 200, 1],
])(
  '[S5.05] %i × %i is kept at %f of its size, never narrower than 200 px',
  (width, height, scale) => {
    expect(scaleOf(width, height)).toBe(scale)
  },
)
