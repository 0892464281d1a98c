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

/** Decodes a file; null: the browser cannot. A large JPEG no finer than needed: 48 megapixels whole are 190 MB, more than a small phone gives. */
export async function decode(file: Blob, header: Header | null): Promise<Picture | null> {
  const picture = header && (await decodeSmaller(file, header).catch(() => null))
  return picture ?? decodeWhole(file).catch(() => null)
}

async function decodeWhole(file: Blob): Promise<Picture> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' })
  return { image, width: image.width, height: image.height, close: () => image.close() }
}

/** null: not a JPEG larger than what is kept of it, or a browser without this. */
async function decodeSmaller(file: Blob, { type, width, height }: Header): Promise<Picture | null> {
  if (type !== 'jpeg' || width === null || height === null || typeof ImageDecoder === 'undefined') return null
  const parts = Math.ceil(PARTS * scaleOf(width, height))
  if (parts >= PARTS) return null
  const wanted = (side: number): number => Math.ceil((side * parts) / PARTS)
  const decoder = new ImageDecoder({ data: file.stream(), type: 'image/jpeg', desiredWidth: wanted(width), desiredHeight: wanted(height) })
  try {
    const { image } = await decoder.decode()
    // Upright, a picture may stand the other way round than it is stored.
    const turned = image.displayWidth < image.displayHeight !== width < height
    return { image, width: turned ? height : width, height: turned ? width : height, close: () => image.close() }
  } finally {
    decoder.close()
  }
}
