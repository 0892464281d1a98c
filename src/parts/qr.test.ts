import { expect, test } from 'vitest'
import { qrOf } from './qr.ts'

/** The dark modules as a set of "x,y". */
function dark(text: string): { readonly size: number; readonly at: ReadonlySet<string> } {
  const { size, path } = qrOf(text)
  return {
    size,
    at: new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`)),
  }
}

test('a code has a quiet zone of four modules around its three finders', () => {
  const { size, at } = dark('https://yaar.test/listings/L1')
  const last = size - 1 - 4
  for (const [x, y] of [
    [4, 4],
    [last, 4],
    [4, last],
  ])
    expect(at.has(`${x},${y}`)).toBe(true)
  expect(
    at.has(`${last},${last}`) && at.has(`${last - 6},${last - 6}`) && at.has(`${last - 6},${last}`),
  ).toBe(false)
  for (const square of at)
    for (const place of square.split(',').map(Number)) expect(place).toBeGreaterThan(3)
  expect(Math.max(...[...at].flatMap((square) => square.split(',').map(Number)))).toBeLessThan(
    size - 4,
  )
})

test('another text is another code', () => {
  expect(qrOf('a').path).not.toBe(qrOf('b').path)
})
