/** A colour as red, green and blue in 0..255. */
type Rgb = readonly [number, number, number]

export function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const hexOf = (rgb: Rgb): string => `#${rgb.map((channel) => Math.round(Math.min(255, Math.max(0, channel))).toString(16).padStart(2, '0')).join('')}`

/** `share` of the way from one colour to the other. */
export function mixed(from: string, to: string, share: number): string {
  const [a, b] = [rgbOf(from), rgbOf(to)]
  const between = (n: 0 | 1 | 2) => a[n] + (b[n] - a[n]) * share
  return hexOf([between(0), between(1), between(2)])
}

export const lighter = (hex: string, share: number): string => mixed(hex, '#ffffff', share)
export const darker = (hex: string, share: number): string => mixed(hex, '#0b0a0d', share)

/** What each colour word of a listing looks like on a thing. */
export const PAINTS: Record<string, string> = {
  Noir: '#26282d',
  Blanc: '#e8e6e1',
  Gris: '#83888f',
  Argent: '#b3b9c0',
  Bleu: '#2a5aa8',
  Rouge: '#b3261f',
  Vert: '#3a7a46',
  Jaune: '#dba514',
  Or: '#c39b4a',
  Rose: '#cf6f98',
  Marron: '#744a2a',
  Violet: '#6f4a9c',
  Beige: '#cdb892',
}
