import type { ProcessedPhoto } from '#schema/port/photo'
import { IMAGE_MAX_SIDE_PX, PHOTO_BYTES, PHOTO_FILE_BYTES, PHOTO_FILE_PIXELS } from '#schema/limits'
import { decode, type Picture } from './decode.ts'
import { type Header, readHeader } from './header.ts'
import { scaleOf } from './scale.ts'

const refused = (
  problem: Extract<ProcessedPhoto<Blob>, { kind: 'refused' }>['problem'],
): ProcessedPhoto<Blob> => ({ kind: 'refused', problem })

/** Enough for all but odd JPEGs: each note before the picture's size is at most 64 KB long, and cameras write several. */
const HEADER_BYTES = 256 * 1024

/** Checks a file, and makes of it what waits to be sent; `least` px: its shorter side. */
export async function take(file: Blob, least: number): Promise<ProcessedPhoto<Blob>> {
  if (file.size > PHOTO_FILE_BYTES) return refused('image_too_large')
  if (file.size === 0) return refused('image_unreadable')
  const header = readHeader(new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer()))
  if (tooManyPixels(header.width, header.height)) return refused('image_dimensions_too_large')
  const picture = await decode(file, header)
  if (!picture) return refused(couldBePhoto(header) ? 'image_unreadable' : 'image_type_unsupported')
  try {
    if (Math.min(picture.width, picture.height) < least) return refused('image_too_small')
    if (tooManyPixels(picture.width, picture.height)) return refused('image_dimensions_too_large')
    return await draw(picture, 0)
  } finally {
    picture.close()
  }
}

export async function turn(photo: Blob, quarters: number): Promise<ProcessedPhoto<Blob>> {
  const picture = await decode(photo, null)
  if (!picture) return refused('image_unreadable')
  try {
    return await draw(picture, ((quarters % 4) + 4) % 4)
  } finally {
    picture.close()
  }
}

/** Of the file, or of what would be sent of it [API 5.4]. */
function tooManyPixels(width: number | null, height: number | null): boolean {
  if (width === null || height === null) return false
  return (
    width * height > PHOTO_FILE_PIXELS ||
    Math.max(width, height) * scaleOf(width, height) > IMAGE_MAX_SIDE_PX
  )
}

/** HEIC and films share their first bytes with AVIF: if the browser cannot decode one, it is a type we do not take. */
function couldBePhoto(header: Header): boolean {
  return header.type === 'jpeg' || header.type === 'png' || header.type === 'webp'
}

async function draw(picture: Picture, quarters: number): Promise<ProcessedPhoto<Blob>> {
  const scale = scaleOf(picture.width, picture.height)
  const [wide, high] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const [width, height] = quarters % 2 === 0 ? [wide, high] : [high, wide]
  const canvas = new OffscreenCanvas(width, height)
  // Kept in memory: it is encoded at once, and reading back from a graphics chip takes longer than drawing.
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  if (!context) return refused('image_unreadable')
  // What was transparent becomes white, as on paper, not black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.translate(width / 2, height / 2)
  context.rotate((quarters * Math.PI) / 2)
  context.drawImage(picture.image, -wide / 2, -high / 2, wide, high)
  return { kind: 'taken', photo: await encode(canvas), width, height }
}

/** Once at a quality that fits most photos; a busy one again, lower by what it was too large. */
async function encode(canvas: OffscreenCanvas): Promise<Blob> {
  const first = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.78 })
  if (first.size <= PHOTO_BYTES) return first
  const quality = Math.max(0.4, 0.78 * (PHOTO_BYTES / first.size) ** 0.8)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}
