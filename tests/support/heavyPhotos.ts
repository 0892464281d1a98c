import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { PHOTO_BYTES, PHOTO_LONG_EDGE_PX } from '#schema/limits'
import { smallEnough } from '../../server/files/imageWorker/render.ts'

/**
 * Photos that weigh what a cheap phone's camera gives, made from the demo's pictures. They have the
 * size that the app sends, since the server never sees the sensor's 12 megapixels.
 */

/** Changes with the recipe. */
const VERSION = 1
const folder = join(tmpdir(), 'yaar-heavy-photos')
const TILE = 512
/** px of the photo; coarse detail outlasts the reduction to a card, sensor noise hardly. */
const GRAINS = [
  { size: 1, weight: 5 },
  { size: 3, weight: 8 },
  { size: 6, weight: 9 },
  { size: 14, weight: 6 },
] as const
/** A photo of a motorbike at 640 px, in WebP of fixed quality: the server's own may change. */
const WEIGHT = { width: 640, quality: 60, least: 48_000, most: 62_000 } as const
const TRIES = 6
const QUALITIES = [86, 80, 74, 68, 60, 52]

/** The same JPEG for the same picture, kept between runs. */
export async function heavyPhoto(picture: Uint8Array): Promise<Uint8Array> {
  const name = hash('sha256', Buffer.concat([Buffer.from(`${VERSION} `), picture])).slice(0, 32)
  const path = join(folder, `${name}.jpg`)
  if (existsSync(path)) return readFileSync(path)
  const photo = await make(picture, Number.parseInt(name.slice(0, 8), 16))
  mkdirSync(folder, { recursive: true })
  // Renamed when complete: several runs may write it.
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, photo)
  renameSync(unfinished, path)
  return photo
}

interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

async function make(picture: Uint8Array, seed: number): Promise<Uint8Array> {
  const { data, info } = await sharp(picture)
    .resize(PHOTO_LONG_EDGE_PX, PHOTO_LONG_EDGE_PX, { fit: 'inside', kernel: 'lanczos3' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const plain: Pixels = { data, width: info.width, height: info.height }
  const grain = grainOf(plain, seed)
  let [low, high, strength] = [0, 4, 1]
  let photo = plain
  for (let round = 0; round < TRIES; round += 1) {
    photo = withGrain(plain, grain, strength)
    const { byteLength: weight } = await image(photo)
      .resize(WEIGHT.width)
      .webp({ quality: WEIGHT.quality })
      .toBuffer()
    if (weight >= WEIGHT.least && weight <= WEIGHT.most) break
    if (weight < WEIGHT.least) low = strength
    else high = strength
    strength = (low + high) / 2
  }
  return jpeg(photo)
}

const image = ({ data, width, height }: Pixels) =>
  sharp(data, { raw: { width, height, channels: 3 } })

/** As the app sends it: the best quality that fits. */
const jpeg = (photo: Pixels): Promise<Uint8Array> =>
  smallEnough(QUALITIES, PHOTO_BYTES, (quality) =>
    // The lens blurs, the phone's pipeline sharpens.
    image(photo).blur(0.6).sharpen({ sigma: 0.9 }).jpeg({ quality }).toBuffer(),
  )

function withGrain({ data, width, height }: Pixels, grain: Float32Array, strength: number): Pixels {
  const out = Buffer.alloc(data.length)
  for (const [at, value] of data.entries())
    out[at] = Math.max(0, Math.min(255, value + strength * (grain[at] ?? 0)))
  return { data: out, width, height }
}

/** Detail at several scales, and noise of the sensor's colours, less of it in the light. */
function grainOf({ data, width, height }: Pixels, seed: number): Float32Array {
  const noise = noiseTile()
  const at = (x: number, y: number, channel: number): number =>
    noise[((y % TILE) * TILE + (x % TILE)) * 3 + channel] ?? 0
  const grain = new Float32Array(data.length)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let detail = 0
      for (const [index, { size, weight }] of GRAINS.entries()) {
        const shift = (seed >>> (index * 5)) & (TILE - 1)
        const [left, top] = [Math.floor(x / size), Math.floor(y / size)]
        const [across, down] = [x / size - left, y / size - top]
        const [a, b, channel] = [left + shift, top + shift * 3, index % 3]
        // Between four points of the tile, so that coarse detail has no edges.
        const upper = at(a, b, channel) * (1 - across) + at(a + 1, b, channel) * across
        const lower = at(a, b + 1, channel) * (1 - across) + at(a + 1, b + 1, channel) * across
        detail += weight * (upper * (1 - down) + lower * down)
      }
      const from = (y * width + x) * 3
      for (let channel = 0; channel < 3; channel += 1) {
        const light = (data[from + channel] ?? 0) / 255
        grain[from + channel] = detail + 4 * at(x + (seed & 255), y, channel) * (1.3 - light)
      }
    }
  }
  return grain
}

let tile: Float32Array | null = null

/** About normal, of deviation 1. */
function noiseTile(): Float32Array {
  if (tile) return tile
  let state = 1
  const uniform = (): number => {
    // xorshift32
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  tile = Float32Array.from(
    { length: TILE * TILE * 3 },
    () => (uniform() + uniform() + uniform() + uniform() - 2) * Math.sqrt(3),
  )
  return tile
}
