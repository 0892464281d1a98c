/** Covers every avatar size of [API 4.1], at about 60 KB. */
const SIDE_PX = 512
const QUALITY = 0.85

/** The server's crop, done before the upload to save data. null: decoding failed. */
export async function squareOf(photo: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(photo).catch(() => null)
  if (!picture) return null
  try {
    const edge = Math.min(picture.width, picture.height)
    const side = Math.min(SIDE_PX, edge)
    const canvas = new OffscreenCanvas(side, side)
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) return null
    context.drawImage(
      picture,
      (picture.width - edge) / 2,
      (picture.height - edge) / 2,
      edge,
      edge,
      0,
      0,
      side,
      side,
    )
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
  } finally {
    picture.close()
  }
}
