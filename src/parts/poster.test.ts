import { expect, test } from 'vitest'
import { linesOf } from './poster.ts'

const pen = { measureText: (text: string) => ({ width: [...text].length * 10 }) }

test.each([
  ['Vélo', 100, 2, ['Vélo']],
  ['Vélo de course rouge', 100, 3, ['Vélo de', 'course', 'rouge']],
  ['Vélo de course rouge neuf', 100, 2, ['Vélo de', 'course…']],
  ['Anticonstitutionnellement', 100, 2, ['Anticonst…']],
  ['', 100, 2, ['']],
])('“%s” at width %i fits %i lines', (text, room, most, lines) => {
  expect(linesOf(pen, text, room, most)).toEqual(lines)
})
