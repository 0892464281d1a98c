import { encode } from 'uqr'

const BORDER = 4

/** `path` fills the dark modules in an SVG of `size`. */
export function qrOf(text: string) {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { size, path }
}
