import type { Random } from '../random.ts'
import { darker, lighter } from './tints.ts'

/** A stop of a gradient: offset 0..1, colour, opacity. */
type Stop = readonly [at: number, colour: string, opacity?: number]

/** What a drawing is made with: it keeps the gradients and filters that its shapes refer to. */
export interface Pen {
  readonly choice: Random
  /** The colour of the thing. */
  readonly main: string
  /** How far the thing is turned, in radians; 0 shows its front. */
  readonly turn: number
  /** A paint from top to bottom, or turned by degrees. */
  linear(stops: readonly Stop[], degrees?: number): string
  radial(stops: readonly Stop[], x?: number, y?: number): string
  /** A filter that blurs by so many units. */
  blur(by: number): string
  /** Paints of a smooth body: light from above, shade below. */
  body(colour?: string): string
  /** A cylinder seen from the side. */
  round(colour?: string): string
  /** All that shapes refer to. */
  defs(): string
}

export function penFor(choice: Random, main: string, turn: number): Pen {
  const defs: string[] = []
  const add = (make: (id: string) => string): string => {
    const id = `d${defs.length}`
    defs.push(make(id))
    return `url(#${id})`
  }
  const stopsOf = (stops: readonly Stop[]) => stops.map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`).join('')
  const linear = (stops: readonly Stop[], degrees = 90) => {
    const [x, y] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    const end = (value: number) => (0.5 + value / 2).toFixed(3)
    return add((id) => `<linearGradient id="${id}" x1="${end(-x)}" y1="${end(-y)}" x2="${end(x)}" y2="${end(y)}">${stopsOf(stops)}</linearGradient>`)
  }
  return {
    choice,
    main,
    turn,
    linear,
    radial: (stops, x = 0.5, y = 0.5) => add((id) => `<radialGradient id="${id}" cx="${x}" cy="${y}" r="0.72">${stopsOf(stops)}</radialGradient>`),
    blur: (by) => add((id) => `<filter id="${id}" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="${by}"/></filter>`),
    body: (colour = main) => linear([[0, lighter(colour, 0.3)], [0.25, lighter(colour, 0.08)], [0.6, colour], [1, darker(colour, 0.45)]]),
    round: (colour = main) => linear([[0, darker(colour, 0.5)], [0.22, lighter(colour, 0.25)], [0.38, lighter(colour, 0.45)], [0.6, colour], [1, darker(colour, 0.55)]], 0),
    defs: () => defs.join(''),
  }
}

export const at = (x: number, y: number, drawing: string, scale = 1): string => `<g transform="translate(${x} ${y})${scale === 1 ? '' : ` scale(${scale})`}">${drawing}</g>`
export const mirrored = (drawing: string): string => `<g transform="scale(-1 1)">${drawing}</g>`
export const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string => `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`
export const circle = (x: number, y: number, r: number, fill: string, more = ''): string => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`
export const oval = (x: number, y: number, rx: number, ry: number, fill: string, more = ''): string => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`
export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`
export const line = (d: string, stroke: string, width: number, more = ''): string => `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`
/** Things side by side. */
export const each = <T>(list: readonly T[], draw: (one: T, index: number) => string): string => list.map(draw).join('')
export const times = (count: number, draw: (index: number) => string): string => Array.from({ length: count }, (_, index) => draw(index)).join('')
