/** Wide enough for every place a face is shown in (API.md 4.1), and about 60 KB. */
const SIDE_PX = 512
const MIN_PX = 100 // API.md 7.4
const QUALITY = 0.85

export type Square = { readonly kind: 'made'; readonly photo: Blob } | { readonly kind: 'too_small' | 'unreadable' }

/** The middle of a picture as a small square, upright and without metadata: what the server would cut, cut before it costs data. */
export async function squareOf(file: Blob): Promise<Square> {
  const picture = await decode(file)
  if (!picture) return { kind: 'unreadable' }
  const edge = Math.min(picture.width, picture.height)
  try {
    if (edge < MIN_PX) return { kind: 'too_small' }
    const side = Math.min(SIDE_PX, edge)
    const canvas = new OffscreenCanvas(side, side)
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) return { kind: 'unreadable' }
    context.fillStyle = '#fff'
    context.fillRect(0, 0, side, side)
    context.drawImage(picture, (picture.width - edge) / 2, (picture.height - edge) / 2, edge, edge, 0, 0, side, side)
    return { kind: 'made', photo: await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY }) }
  } finally {
    picture.close()
  }
}

async function decode(file: Blob): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return null
  }
}
