import { IMAGE_MIN_PX, PHOTO_LONG_EDGE_PX } from '#schema/limits'
import type { Header } from './header.ts'

/** Upright. */
export interface Picture {
  readonly image: CanvasImageSource
  readonly width: number
  readonly height: number
  close(): void
}

/** JPEG can be decoded at any number of eighths of its size. */
const PARTS = 8

/** null: the browser cannot. Large files are decoded smaller: 48 megapixels take 190 MB. */
export async function decode(file: Blob, header: Header | null): Promise<Picture | null> {
  const picture =
    header &&
    ((await decodeSmaller(file, header).catch(() => null)) ??
      (await decodeResized(file, header).catch(() => null)))
  return picture ?? decodeWhole(file).catch(() => null)
}

/** null: need not be smaller, or of unknown size. The browser may hold the full picture briefly. */
async function decodeResized(file: Blob, { width, height }: Header): Promise<Picture | null> {
  if (width === null || height === null || scaleOf(width, height) === 1) return null
  // The longer side fits, whether it applies before or after rotation.
  const resizeWidth = Math.ceil(Math.max(width, height) * scaleOf(width, height))
  const image = await createImageBitmap(file, {
    imageOrientation: 'from-image',
    resizeWidth,
    resizeQuality: 'high',
  })
  return { image, ...upright(image.width, image.height, width, height), close: () => image.close() }
}

function upright(shownWidth: number, shownHeight: number, width: number, height: number) {
  return shownWidth < shownHeight === width < height
    ? { width, height }
    : { width: height, height: width }
}

async function decodeWhole(file: Blob) {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  return { image, width: image.width, height: image.height, close: () => image.close() }
}

/** null: not a larger JPEG, or no ImageDecoder. */
async function decodeSmaller(file: Blob, { type, width, height }: Header): Promise<Picture | null> {
  if (type !== 'jpeg' || width === null || height === null || typeof ImageDecoder === 'undefined')
    return null
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
    return {
      image,
      ...upright(image.displayWidth, image.displayHeight, width, height),
      close: () => image.close(),
    }
  } finally {
    decoder.close()
  }
}

/** Limits the long edge, but keeps the short one above the server's minimum [S5.05]. */
export function scaleOf(width: number, height: number) {
  return Math.min(
    1,
    Math.max(PHOTO_LONG_EDGE_PX / Math.max(width, height), IMAGE_MIN_PX / Math.min(width, height)),
  )
}
