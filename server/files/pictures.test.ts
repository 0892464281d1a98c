import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { avifWidthsOf, imageOf, widthsOf } from './variants.ts'
import { preparePicture } from './imageWorker/render.ts'
import type { PreparedPicture } from './imageWorker/job.ts'
import { copyPicture, keepPicture } from './pictures.ts'
import { folderStore } from './storage.ts'

test('[S4.19] a stored picture is read back whole, and no temporary file stays', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pictures-'))
  const store = folderStore(root)
  const picture = await photo()
  await Promise.all([keepPicture(store, picture), keepPicture(store, picture)])
  for (const [name, bytes] of picture.files)
    expect(
      Buffer.from((await store.get(`images/${picture.hash}/${name}`)) ?? []).equals(bytes),
    ).toBe(true)
  expect((await readdir(join(root, picture.folder))).toSorted()).toEqual(
    [...picture.files.keys()].toSorted(),
  )
  await store.remove(`images/${picture.hash}`)
  await store.remove(`images/${picture.hash}`)
  expect(await store.get(`images/${picture.hash}/320.webp`)).toBeNull()
})

test('a failed write leaves no temporary file', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pictures-'))
  // a folder has the name of the file
  await mkdir(join(root, 'images/h/320.webp'), { recursive: true })
  await expect(folderStore(root).put('images/h/320.webp', Buffer.from('x'))).rejects.toThrow(
    /EISDIR|EEXIST|EPERM/,
  )
  expect(await readdir(join(root, 'images/h'))).toEqual(['320.webp'])
})

test('[S3.12] an upload that becomes an attachment is served under its own address', async () => {
  const store = folderStore(await mkdtemp(join(tmpdir(), 'pictures-')))
  const picture = await photo()
  await keepPicture(store, picture)
  await copyPicture(store, picture, 'attachments/secret')
  for (const [name, bytes] of picture.files)
    expect(Buffer.from((await store.get(`attachments/secret/${name}`)) ?? []).equals(bytes)).toBe(
      true,
    )
})

test.for([
  [200, [160, 200]],
  [160, [160]],
  [640, [160, 320, 640]],
  [700, [160, 320, 640, 700]],
  [1280, [160, 320, 640, 1280]],
  [4000, [160, 320, 640, 1280]],
] as const)('[S4.19] a source of %i px gives %j', ([width, widths]) => {
  expect(widthsOf(width)).toEqual(widths)
})

test('[API 6.3] AVIF has the widths of cards besides, none above the source', () => {
  expect(avifWidthsOf(1600)).toEqual([160, 240, 320, 360, 512, 640, 768, 1280])
  expect(avifWidthsOf(512)).toEqual([160, 240, 320, 360, 512])
  expect(avifWidthsOf(200)).toEqual([160, 200])
})

test('[API 4.1] an image lists the widths that exist as AVIF, none before they are made', () => {
  const facts = { hash: 'abc', height: 100, formats: ['webp'], thumbhash: null, color: null }
  expect(imageOf('I1', 0, { ...facts, width: 1600 }).avif_widths).toEqual([])
  expect(imageOf('I1', 0, { ...facts, width: 1600, avif_widths: [160, 240] })).toMatchObject({
    widths: [160, 320, 640, 1280],
    avif_widths: [160, 240],
  })
})

test('[S4.19] the address alone is enough to show a picture', () => {
  const facts = { hash: 'abc', height: 100, formats: ['webp'], thumbhash: null, color: null }
  expect(imageOf('I1', 2, { ...facts, width: 1600 })).toMatchObject({
    id: 'I1',
    position: 2,
    url: '/media/images/abc/640.webp',
    base: '/media/images/abc',
  })
  expect(imageOf('I1', 0, { ...facts, width: 200 }).url).toBe('/media/images/abc/200.webp')
})

async function photo(): Promise<PreparedPicture> {
  const picture = await preparePicture(
    await sharp({ create: { width: 400, height: 300, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer(),
  )
  if ('code' in picture) throw new Error(picture.code)
  return picture
}
