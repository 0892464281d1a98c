import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { PHOTO_BYTES, PHOTO_LONG_EDGE_PX } from '#schema/limits'
import { things } from '../../server/demo/pictures.ts'
import { photoVariant } from '../../server/files/imageWorker/render.ts'
import { heavyPhoto } from './heavyPhotos.ts'

const folder = join(import.meta.dirname, '../../server/demo/pictures')
const files = things.flatMap(({ photos }) => photos.map(({ file }) => file))
const STEP = Math.ceil(files.length / 6)

test.for(files.filter((_file, at) => at % STEP === 0))(
  '[API 6.3] a photo-like picture of %s weighs what a phone’s photo weighs',
  async (file) => {
    const photo = await heavyPhoto(readFileSync(join(folder, file)))
    const { format, width, height } = await sharp(photo).metadata()
    expect([format, Math.max(width, height)]).toEqual(['jpeg', PHOTO_LONG_EDGE_PX])
    expect(photo.byteLength).toBeLessThanOrEqual(PHOTO_BYTES)
    const { byteLength } = await photoVariant(photo, '640.webp')
    expect(byteLength).toBeGreaterThanOrEqual(40_000)
    expect(byteLength).toBeLessThanOrEqual(80_000)
  },
)
