import { IMAGE_MIN_PX, PHOTO_LONG_EDGE_PX } from '#schema/limits'
import { type Header, unknown } from './header.ts'

export type Picture = Readonly<{
  image: ImageBitmap | VideoFrame
  width: number
  height: number
}>

/** A JPEG is decoded at any number of eighths. */
const PARTS = 8

/** null: the browser cannot. Whole, 48 megapixels take 190 MB. */
export async function decode(file: Blob, header = unknown): Promise<Picture | null> {
  return (
    (await decodeSmaller(file, header).catch(() => null)) ??
    (await decodeResized(file, header).catch(() => null)) ??
    decodeWhole(file).catch(() => null)
  )
}

/** null: it is small enough. The browser may hold the full picture briefly. */
async function decodeResized(file: Blob, { width, height }: Header) {
  const scale = scaleOf(width, height)
  if (scale === 1) return null
  // The longer side fits, whether it applies before or after rotation.
  const resizeWidth = Math.ceil(Math.max(width, height) * scale)
  const image = await createImageBitmap(file, {
    imageOrientation: 'from-image',
    resizeWidth,
    resizeQuality: 'high',
  })
  return { image, ...upright(image.width, image.height, width, height) }
}

function upright(shownWidth: number, shownHeight: number, width: number, height: number) {
  return shownWidth < shownHeight === width < height
    ? { width, height }
    : { width: height, height: width }
}

async function decodeWhole(file: Blob) {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  return { image, width: image.width, height: image.height }
}

/** null: not a larger JPEG, or no ImageDecoder. */
async function decodeSmaller(file: Blob, { type, width, height }: Header): Promise<Picture | null> {
  if (type !== 'jpeg' || typeof ImageDecoder === 'undefined') return null
  const parts = Math.ceil(PARTS * scaleOf(width, height))
  if (parts >= PARTS) return null
  const wanted = (side: number) => Math.ceil((side * parts) / PARTS)
  const decoder = new ImageDecoder({
    data: file.stream(),
    type: 'image/jpeg',
    desiredWidth: wanted(width),
    desiredHeight: wanted(height),
  })
  try {
    const { image } = await decoder.decode()
    return { image, ...upright(image.displayWidth, image.displayHeight, width, height) }
  } finally {
    decoder.close()
  }
}

/** Limits the long edge, but keeps the short one above the minimum [S5.05]; 1: of unknown size. */
export function scaleOf(width: number, height: number) {
  return Math.min(
    1,
    Math.max(PHOTO_LONG_EDGE_PX / Math.max(width, height), IMAGE_MIN_PX / Math.min(width, height)),
  )
}
