import sharp from 'sharp'

export interface Picked {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** A real JPEG of one colour, so that it can be recognized after shrinking. */
export async function plainJpeg(
  name: string,
  background: string,
  width: number,
  height: number,
): Promise<Picked> {
  const buffer = await sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

/** A JPEG like a camera's: soft shapes with grain, stored rotated with an EXIF orientation. */
export async function cameraJpeg(
  name: string,
  width: number,
  height: number,
  quality = 85,
): Promise<Picked> {
  const noise = (mean: number, sigma: number) => ({ type: 'gaussian' as const, mean, sigma })
  const shapes = await sharp({
    create: { width: 40, height: 30, channels: 3, background: '#808080', noise: noise(128, 60) },
  })
    .png()
    .toBuffer()
  const grain = await sharp({
    create: { width, height, channels: 3, background: '#808080', noise: noise(128, 8) },
  })
    .png({ compressionLevel: 1 })
    .toBuffer()
  const buffer = await sharp(shapes)
    .resize(width, height, { kernel: 'cubic' })
    .composite([{ input: grain, blend: 'soft-light' }])
    .withMetadata({ orientation: 6 })
    .jpeg({ quality })
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}
