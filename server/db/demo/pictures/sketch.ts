import { rgbaToThumbHash } from 'thumbhash'
import { BACKDROPS } from './backdrops.ts'
import type { Recipe } from './scene.ts'
import { darker, lighter, rgbOf } from './tints.ts'

/** What stands for a picture until it is there. */
export interface Sketch {
  readonly thumbhash: string
  readonly color: string
}

const known = new Map<string, Sketch>()

/**
 * The few colours of a picture at about the places where it has them, without drawing it: far and near ground, the thing
 * in the middle, darker corners. Thousands of photos share a few hundred of these.
 */
export function sketchOf({ thing, paint, backdrop, tone, frame, view }: Recipe): Sketch {
  const near = view === 2 || view === 4
  const tones = BACKDROPS[backdrop].tones
  const key = `${thing === 'interior' || thing === 'dashboard'} ${paint} ${backdrop} ${tone % tones.length} ${frame} ${near}`
  const made = known.get(key) ?? make(paint, backdrop, tones[tone % tones.length] ?? tones[0], frame, near, thing === 'interior' ? '#e9e1d2' : thing === 'dashboard' ? '#2c2e32' : null)
  known.set(key, made)
  return made
}

function make(paint: string, backdrop: Recipe['backdrop'], tone: (typeof BACKDROPS)[Recipe['backdrop']]['tones'][number], frame: number, near: boolean, room: string | null): Sketch {
  const [width, height] = frame >= 300 ? [12, Math.round(3600 / frame)] : [Math.round((12 * frame) / 300), 12]
  const flat = backdrop === 'table' || backdrop === 'cloth' || backdrop === 'mat'
  const rgba = new Uint8Array(width * height * 4)
  const sum: [number, number, number] = [0, 0, 0]
  const [wide, tall] = near ? [0.48, 0.46] : [0.36 * Math.min(1.2, 380 / frame), 0.27]
  const [ground, back, accent, lit, shaded] = [tone.ground, lighter(tone.back, 0.1), tone.accent, lighter(paint, 0.12), darker(paint, 0.45)].map(rgbOf)
  const inside = room === null ? null : rgbOf(room)
  for (let y = 0; y < height; y += 1) {
    const v = (y + 0.5) / height
    for (let x = 0; x < width; x += 1) {
      const u = (x + 0.5) / width
      const away = Math.hypot((u - 0.5) / wide, (v - (flat ? 0.5 : 0.55)) / tall)
      const corner = 1 - 0.3 * Math.max(0, Math.hypot(u - 0.5, v - 0.5) - 0.35)
      for (const channel of [0, 1, 2] as const) {
        const behind = flat || v > 0.66 ? (ground?.[channel] ?? 0) * (1 - (v - 0.5) * 0.2) : between(back?.[channel] ?? 0, accent?.[channel] ?? 0, v * 0.3)
        const body = (v > 0.62 ? shaded : lit)?.[channel] ?? 0
        const value = Math.round((inside?.[channel] ?? (away < 1 ? between(body, behind, away ** 4 * 0.8) : behind)) * corner)
        rgba[(y * width + x) * 4 + channel] = value
        sum[channel] += value
      }
      rgba[(y * width + x) * 4 + 3] = 255
    }
  }
  const color = `#${sum.map((total) => Math.round(total / (width * height)).toString(16).padStart(2, '0')).join('')}`
  return { thumbhash: Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64'), color }
}

const between = (from: number, to: number, share: number): number => from + (to - from) * share
