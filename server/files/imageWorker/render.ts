import { createHash } from 'node:crypto'
import sharp, { type Region, type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { AVATAR_MIN_PX, IMAGE_MIN_PX } from '#schema/limits'
import { avatarNames, variantNames } from '../variants.ts'
import { PIXELS_MAX, readHeader } from './header.ts'
import type { Developed } from './job.ts'

// One thread per picture and no cache, to save memory.
sharp.concurrency(1)
sharp.cache(false)

interface Kind {
  readonly folder: string
  readonly least: number
  names(sourceWidth: number): readonly string[]
  make(photo: Photo, name: string): Promise<Uint8Array>
}

const PHOTO: Kind = { folder: 'images', least: IMAGE_MIN_PX, names: variantNames, make: variant }
const AVATAR: Kind = {
  folder: 'avatars',
  least: AVATAR_MIN_PX,
  names: () => avatarNames,
  make: square,
}

/** Checks by [API 5.4]; every variant of 6.3. Exceptions are bugs. */
export const preparePicture = (sent: Uint8Array): Promise<Developed> => prepare(sent, PHOTO)
export const prepareAvatar = (sent: Uint8Array): Promise<Developed> => prepare(sent, AVATAR)

/** Wider than what lists and a listing show: only for the full screen. */
const LISTED_MAX = 768

/** A quarter smaller than WebP of equal looks, ten times as slow to encode (decision 162). */
export async function avifOf(source: Uint8Array, width: number): Promise<Uint8Array> {
  const { data, info: raw } = await sharp(source)
    .resize({ width })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return smallEnough(AVIF_QUALITIES, targetOf(AVIF_TARGETS, width), (quality) =>
    sharp(data, { raw })
      .avif({ quality, effort: width > LISTED_MAX ? 2 : 4, chromaSubsampling: '4:2:0' })
      .toBuffer(),
  )
}

/** Raw pixels, so that each variant only resizes and encodes. */
interface Photo {
  readonly pixels: Sharp
  readonly sourceWidth: number
}

async function prepare(sent: Uint8Array, kind: Kind): Promise<Developed> {
  const header = await readHeader(sent, kind.least)
  if ('code' in header) return header
  const photo = await decode(sent, header.width)
  if (!photo) return { code: 'image_unreadable' }
  // Other variants must get new addresses, since stored bytes are immutable.
  const version = `${kind.folder} 1\n`
  const hash = createHash('sha256').update(version).update(sent).digest('hex').slice(0, 32)
  const files = new Map<string, Uint8Array>()
  for (const name of kind.names(photo.sourceWidth)) files.set(name, await kind.make(photo, name))
  return {
    hash,
    folder: `${kind.folder}/${hash}`,
    width: header.width,
    height: header.height,
    formats: ['webp'],
    ...(await preview(photo.pixels)),
    bytes: sent.byteLength,
    files,
  }
}

/** Oriented, without metadata, in sRGB. */
async function decode(sent: Uint8Array, sourceWidth: number): Promise<Photo | null> {
  const width = Math.min(sourceWidth, 1280)
  try {
    const { data, info } = await sharp(sent, {
      limitInputPixels: PIXELS_MAX,
      failOn: 'truncated',
      pages: 1,
    })
      .autoOrient()
      .resize({ width })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    return {
      pixels: sharp(data, {
        raw: { width: info.width, height: info.height, channels: info.channels },
      }),
      sourceWidth,
    }
  } catch {
    return null
  }
}

/** Maximal bytes by width in px [API 6.3]. */
const TARGETS = new Map([
  [160, 8_000],
  [320, 20_000],
  [640, 60_000],
  [1280, 180_000],
])
const QUALITIES = [72, 66, 60, 55, 50]
const AVIF_TARGETS = new Map([
  [160, 6_000],
  [240, 10_000],
  [320, 13_000],
  [360, 16_000],
  [512, 30_000],
  [640, 45_000],
  [768, 60_000],
  [1280, 135_000],
])
/** Few: each try of a width takes up to 2 s. */
const AVIF_QUALITIES = [58, 46]

function variant({ pixels }: Photo, name: string) {
  const width = Number.parseInt(name, 10)
  if (name.endsWith('.webp'))
    return webp(pixels.clone().resize({ width }), targetOf(TARGETS, width))
  return pixels
    .clone()
    .resize({ width, withoutEnlargement: true })
    .jpeg({ quality: 74, mozjpeg: true })
    .toBuffer()
}

export type Part = Pick<Region, 'left' | 'top' | 'width' | 'height'>

/** With the same bytes as from `preparePicture`. `part`: only this part, in px. */
export async function photoVariant(
  source: Uint8Array,
  name: string,
  part: Part | null = null,
): Promise<Uint8Array> {
  return single(part ? await cut(source, part) : source, name, PHOTO)
}

function cut(source: Uint8Array, { left, top, width, height }: Part) {
  return sharp(source).extract({ left, top, width, height }).webp({ lossless: true }).toBuffer()
}

export const avatarVariant = (source: Uint8Array, name: string): Promise<Uint8Array> =>
  single(source, name, AVATAR)

async function single(source: Uint8Array, name: string, { make }: Kind) {
  const { autoOrient } = await sharp(source).metadata()
  const photo = await decode(source, autoOrient.width)
  if (!photo) throw new Error(`no ${name} can be made of this picture`)
  return make(photo, name)
}

function targetOf(targets: ReadonlyMap<number, number>, width: number) {
  for (const [step, bytes] of targets) if (width <= step) return bytes
  return Infinity
}

const webp = (image: Sharp, target: number) =>
  smallEnough(QUALITIES, target, (quality) => image.clone().webp({ quality }).toBuffer())

/** The best quality that meets the target; the lowest may exceed it. */
export async function smallEnough(
  qualities: readonly number[],
  target: number,
  encode: (quality: number) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array()
  for (const quality of qualities) {
    bytes = await encode(quality)
    if (bytes.byteLength <= target) break
  }
  return bytes
}

function square({ pixels }: Photo, name: string) {
  const side = Number.parseInt(name, 10)
  return webp(pixels.clone().resize({ width: side, height: side, fit: 'cover' }), Infinity)
}

async function preview(pixels: Sharp) {
  const { data, info } = await pixels
    .clone()
    .resize({ width: 100, height: 100, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return {
    thumbhash: Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64'),
    color: meanColour(data),
  }
}

function meanColour(rgba: Uint8Array) {
  const sums = [0, 0, 0]
  for (let at = 0; at < rgba.length; at += 4)
    for (const [channel, sum] of sums.entries()) sums[channel] = sum + (rgba[at + channel] ?? 0)
  return `#${sums
    .map((sum) =>
      Math.round((sum * 4) / rgba.length)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
