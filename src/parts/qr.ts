import { encode } from 'uqr'

/** Quiet squares around, as the norm asks. */
const BORDER = 4

/** A text as a square of dark and light, readable with a tenth of it dirty. `path` draws the dark in an SVG of `size`. */
export function qrOf(text: string): { readonly size: number; readonly path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { size, path }
}
