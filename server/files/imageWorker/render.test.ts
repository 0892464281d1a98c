import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { thumbHashToApproximateAspectRatio } from 'thumbhash'
import { expect, test } from 'vitest'
import { avatarVariant, avifOf, photoVariant, prepareAvatar, preparePicture } from './render.ts'
import type { PreparedPicture } from './job.ts'

test('[S9.02] accepts JPEG, PNG, WebP and AVIF, whatever the file name', async () => {
  const picture = plain(400, 300)
  for (const bytes of await Promise.all([
    picture.jpeg().toBuffer(),
    picture.png().toBuffer(),
    picture.webp().toBuffer(),
    picture.avif({ effort: 0 }).toBuffer(),
  ])) {
    expect(await preparePicture(bytes)).toMatchObject({
      width: 400,
      height: 300,
      formats: ['webp'],
      bytes: bytes.byteLength,
    })
  }
})

test.for([
  ['nothing at all', new Uint8Array(), 'image_unreadable'],
  ['more than 5 MB', new Uint8Array(5 * 1024 * 1024 + 1), 'image_too_large'],
  ['a text', Buffer.from('just words'), 'image_type_unsupported'],
  [
    'SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>'),
    'image_type_unsupported',
  ],
  ['PDF', Buffer.from('%PDF-1.7\n'), 'image_type_unsupported'],
  ['HEIC', Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1'), 'image_type_unsupported'],
  [
    'a JPEG in its first bytes only',
    Buffer.from('\u00ff\u00d8\u00ff and then words', 'latin1'),
    'image_unreadable',
  ],
] as const)('[S9.02] refuses %s', async ([, bytes, code]) => {
  expect(await preparePicture(bytes)).toEqual({ code })
})

test('[S6.04] a single variant equals the one of the whole set', async () => {
  const source = await noise(330, 300).webp().toBuffer()
  for (const [prepared, single] of [
    [await preparePicture(source), photoVariant],
    [await prepareAvatar(source), avatarVariant],
  ] as const) {
    if ('code' in prepared) throw new Error(prepared.code)
    for (const [name, bytes] of prepared.files)
      expect([name, Buffer.compare(await single(source, name), bytes)]).toEqual([name, 0])
  }
})

test('[S9.02] refuses GIF, small pictures, and AVIF boxes that hold HEIC', async () => {
  expect(await preparePicture(await plain(300, 300).gif().toBuffer())).toEqual({
    code: 'image_type_unsupported',
  })
  expect(await preparePicture(await plain(199, 900).png().toBuffer())).toEqual({
    code: 'image_too_small',
  })
  expect(await preparePicture(await plain(200, 200).png().toBuffer())).toMatchObject({ width: 200 })
})

test('[S9.02] refuses too many pixels before decoding', async () => {
  expect(await preparePicture(pngHeader(16_000, 16_000))).toEqual({
    code: 'image_dimensions_too_large',
  })
  expect(await preparePicture(pngHeader(12_001, 300))).toEqual({
    code: 'image_dimensions_too_large',
  })
  expect(await preparePicture(pngHeader(8_000, 7_000))).toEqual({
    code: 'image_dimensions_too_large',
  })
})

test('[S9.02] refuses a truncated or damaged picture', async () => {
  for (const whole of [
    await noise(600, 400).jpeg().toBuffer(),
    await noise(600, 400).png().toBuffer(),
    await noise(600, 400).webp().toBuffer(),
  ]) {
    expect(await preparePicture(whole.subarray(0, whole.byteLength / 2))).toEqual({
      code: 'image_unreadable',
    })
  }
})

test('[S4.19] applies the orientation, then drops all metadata', async () => {
  const sideways = await plain(640, 400)
    .withExif({ IFD0: { Copyright: 'Awa' }, IFD3: { GPSLatitude: '12/1 22/1 0/1' } })
    .jpeg()
    .toBuffer()
  const turned = await sharp(sideways).keepExif().withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect((await sharp(turned).metadata()).orientation).toBe(6)
  const picture = await prepared(turned)
  expect([picture.width, picture.height]).toEqual([400, 640])
  for (const bytes of picture.files.values()) {
    const { exif, xmp, icc, orientation, space } = await sharp(bytes).metadata()
    expect([exif, xmp, icc, orientation, space]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'srgb',
    ])
  }
})

test('[S4.19] makes every width not above the source, WebP for all and one JPEG for other apps', async () => {
  expect([...(await prepared(await plain(1600, 1200).jpeg().toBuffer())).files.keys()]).toEqual([
    '160.webp',
    '320.webp',
    '640.webp',
    '1280.webp',
    '640.jpg',
  ])
  const small = await prepared(await plain(200, 300).png().toBuffer())
  expect([...small.files.keys()]).toEqual(['160.webp', '200.webp', '640.jpg'])
  expect((await sharp(fileOf(small, '640.jpg')).metadata()).width).toBe(200)
  expect((await sharp(fileOf(small, '160.webp')).metadata()).height).toBe(240)
})

test('[S4.19] a busy photo still fits its target sizes', async () => {
  const photo = await prepared(await busy(1600, 1200))
  const sizes = Object.fromEntries(
    [...photo.files].map(([name, bytes]) => [name, bytes.byteLength]),
  )
  // Above the targets at full quality, or lower qualities would not be tested.
  expect((await sharp(fileOf(photo, '1280.webp')).png().toBuffer()).byteLength).toBeGreaterThan(
    1_000_000,
  )
  expect(sizes['320.webp']).toBeLessThanOrEqual(20_000)
  expect(sizes['640.webp']).toBeLessThanOrEqual(60_000)
  expect(sizes['1280.webp']).toBeLessThanOrEqual(180_000)
})

test('[API 6.3] AVIF of a busy photo fits its target sizes as well', async () => {
  const photo = await busy(1280, 960)
  for (const [width, target] of [
    [360, 16_000],
    [512, 30_000],
  ] as const) {
    const bytes = await avifOf(photo, width)
    expect(bytes.byteLength).toBeLessThanOrEqual(target)
    expect(await sharp(bytes).metadata()).toMatchObject({ width, format: 'heif' })
  }
})

test('[S4.19] returns a colour and a thumbhash; transparent pixels become white', async () => {
  const red = await prepared(
    await sharp({ create: { width: 800, height: 400, channels: 3, background: '#c81e1e' } })
      .png()
      .toBuffer(),
  )
  expect(red.color).toBe('#c81e1e')
  expect(
    thumbHashToApproximateAspectRatio(Buffer.from(red.thumbhash ?? '', 'base64')),
  ).toBeGreaterThan(1.5)
  const clear = await prepared(
    await sharp({ create: { width: 300, height: 300, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer(),
  )
  expect(clear.color).toBe('#ffffff')
})

test('[S4.19] the address follows the content', async () => {
  const bytes = await plain(300, 300).png().toBuffer()
  const [one, again, other] = [
    await prepared(bytes),
    await prepared(bytes),
    await prepared(await noise(300, 300).png().toBuffer()),
  ]
  expect(one.hash).toBe(again.hash)
  expect(one.hash).not.toBe(other.hash)
})

test('[S2.43] an avatar is stored as two squares', async () => {
  const avatar = await prepareAvatar(await plain(900, 500).jpeg().toBuffer())
  if ('code' in avatar) throw new Error(avatar.code)
  expect([avatar.folder, [...avatar.files.keys()]]).toEqual([
    `avatars/${avatar.hash}`,
    ['256.webp', '64.webp'],
  ])
  expect(await sharp(avatar.files.get('64.webp')).metadata()).toMatchObject({
    width: 64,
    height: 64,
  })
})

function plain(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#336699' } })
}

function noise(width: number, height: number, sigma = 30) {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma },
      background: '#888888',
    },
  })
}

/** Sharp edges and fine detail everywhere, like a photo of gravel. */
async function busy(width: number, height: number): Promise<Buffer> {
  const coarse = await noise(width / 4, height / 4, 16)
    .png()
    .toBuffer()
  return sharp(coarse).resize(width, height).jpeg({ quality: 92 }).toBuffer()
}

async function prepared(bytes: Uint8Array): Promise<PreparedPicture> {
  const picture = await preparePicture(bytes)
  if ('code' in picture) throw new Error(picture.code)
  return picture
}

function fileOf(picture: PreparedPicture, name: string): Uint8Array {
  const bytes = picture.files.get(name)
  if (!bytes) throw new Error(name)
  return bytes
}

/** A PNG with a large declared size and almost no data: a decompression bomb. */
function pngHeader(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.byteLength)
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
