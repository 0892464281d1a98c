import type { ProcessedPhoto } from '#schema/port/photo'
import { IMAGE_MAX_SIDE_PX, PHOTO_BYTES, PHOTO_FILE_BYTES, PHOTO_FILE_PIXELS } from '#schema/limits'
import { decode, type Picture, scaleOf } from './decode.ts'
import { readHeader } from './header.ts'

type Processed = ProcessedPhoto<Blob>
const refused = (problem: Extract<Processed, { kind: 'refused' }>['problem']): Processed => ({
  kind: 'refused',
  problem,
})

/** Cameras write several metadata segments of up to 64 KB before the size. */
const HEADER_BYTES = 256 * 1024

export async function take(file: Blob, least: number): Promise<Processed> {
  if (file.size > PHOTO_FILE_BYTES) return refused('image_too_large')
  if (file.size === 0) return refused('image_unreadable')
  const header = readHeader(new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer()))
  if (tooManyPixels(header.width, header.height)) return refused('image_dimensions_too_large')
  const picture = await decode(file, header)
  if (!picture) {
    // HEIC and video files begin like AVIF.
    const isKnown = ['jpeg', 'png', 'webp'].includes(header.type)
    return refused(isKnown ? 'image_unreadable' : 'image_type_unsupported')
  }
  try {
    if (Math.min(picture.width, picture.height) < least) return refused('image_too_small')
    if (tooManyPixels(picture.width, picture.height)) return refused('image_dimensions_too_large')
    return await render(picture, 0)
  } finally {
    picture.image.close()
  }
}

export async function turn(photo: Blob, quarters: number): Promise<Processed> {
  const picture = await decode(photo)
  if (!picture) return refused('image_unreadable')
  try {
    return await render(picture, ((quarters % 4) + 4) % 4)
  } finally {
    picture.image.close()
  }
}

/** [API 5.4] */
function tooManyPixels(width: number, height: number) {
  return (
    width * height > PHOTO_FILE_PIXELS ||
    Math.max(width, height) * scaleOf(width, height) > IMAGE_MAX_SIDE_PX
  )
}

async function render(picture: Picture, quarters: number): Promise<Processed> {
  const scale = scaleOf(picture.width, picture.height)
  const [wide, high] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const [width, height] = quarters % 2 === 0 ? [wide, high] : [high, wide]
  const canvas = new OffscreenCanvas(width, height)
  // Reading back from the GPU would be slower than drawing in memory.
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  if (!context) return refused('image_unreadable')
  // Else transparent pixels become black.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  context.translate(width / 2, height / 2)
  context.rotate((quarters * Math.PI) / 2)
  context.drawImage(picture.image, -wide / 2, -high / 2, wide, high)
  return { kind: 'taken', photo: await encode(canvas), width, height }
}

/** Once more if it is too large: the first quality fits most photos. */
async function encode(canvas: OffscreenCanvas) {
  const first = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.78 })
  if (first.size <= PHOTO_BYTES) return first
  const quality = Math.max(0.4, 0.78 * (PHOTO_BYTES / first.size) ** 0.8)
  return canvas.convertToBlob({ type: 'image/jpeg', quality })
}
