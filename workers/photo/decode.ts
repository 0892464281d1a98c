import type { Header } from './header.ts'
import { scaleOf } from './scale.ts'

/** A decoded picture, upright; its memory is given back with `close`. */
export interface Picture {
  readonly image: CanvasImageSource
  /** Of the whole picture, whatever was decoded of it. */
  readonly width: number
  readonly height: number
  close(): void
}

/** JPEG can be decoded at so many eighths of its size. */
const PARTS = 8

/** Decodes a file; null: the browser cannot. A large one no finer than needed: 48 megapixels whole are 190 MB, more than a small phone gives. */
export async function decode(file: Blob, header: Header | null): Promise<Picture | null> {
  const picture =
    header &&
    ((await decodeSmaller(file, header).catch(() => null)) ??
      (await decodeResized(file, header).catch(() => null)))
  return picture ?? decodeWhole(file).catch(() => null)
}

/** null: it is not larger than what is kept of it, or how large it is was not told. The browser holds the whole picture for a moment at most. */
async function decodeResized(file: Blob, { width, height }: Header): Promise<Picture | null> {
  if (width === null || height === null || scaleOf(width, height) === 1) return null
  // Browsers differ on whether a width is that before or after turning: the longer side is enough for both.
  const resizeWidth = Math.ceil(Math.max(width, height) * scaleOf(width, height))
  const image = await createImageBitmap(file, {
    imageOrientation: 'from-image',
    resizeWidth,
    resizeQuality: 'high',
  })
  return { image, ...upright(image.width, image.height, width, height), close: () => image.close() }
}

/** The size of a whole picture that was stored so wide and high, as its decoded form stands: it may have been turned. */
function upright(
  shownWidth: number,
  shownHeight: number,
  width: number,
  height: number,
): Pick<Picture, 'width' | 'height'> {
  return shownWidth < shownHeight === width < height
    ? { width, height }
    : { width: height, height: width }
}

async function decodeWhole(file: Blob): Promise<Picture> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  return { image, width: image.width, height: image.height, close: () => image.close() }
}

/** null: not a JPEG larger than what is kept of it, or a browser without this. */
async function decodeSmaller(file: Blob, { type, width, height }: Header): Promise<Picture | null> {
  if (type !== 'jpeg' || width === null || height === null || typeof ImageDecoder === 'undefined')
    return null
  const parts = Math.ceil(PARTS * scaleOf(width, height))
  if (parts >= PARTS) return null
  const wanted = (side: number): number => Math.ceil((side * parts) / PARTS)
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
