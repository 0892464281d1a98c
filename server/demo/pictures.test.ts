import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { preparePicture } from '../files/imageWorker/render.ts'
import { read as readMarket } from './market.ts'
import { avatarNamed, avatarOf, avatars, photoNamed, things } from './pictures.ts'

const folder = join(import.meta.dirname, 'pictures')
const photos = things.flatMap((thing) => thing.photos)
const entries = [
  ...photos.map((photo) => ({ ...photo, room: 'images' })),
  ...avatars.map((avatar) => ({
    ...avatar,
    width: 256,
    height: 256,
    bytes: null,
    room: 'avatars',
  })),
]
const read = (file: string) => readFileSync(join(folder, file))
const WIDTH = 640

test('[S1.06] every picture of the manifest is a file, and every file is in it', () => {
  expect(entries.map(({ file }) => file).toSorted()).toEqual(
    readdirSync(folder)
      .filter((name) => name !== 'manifest.json')
      .toSorted(),
  )
  expect(new Set(entries.map(({ hash }) => hash)).size).toBe(entries.length)
})

test('[S1.06] all pictures together have at most 3 MB', () => {
  expect(
    entries.reduce((sum, { file }) => sum + statSync(join(folder, file)).size, 0),
  ).toBeLessThanOrEqual(3_000_000)
})

test('[S1.06] a file has the dimensions, length and hash of the manifest', async () => {
  for (const { file, width, height, bytes, hash, room } of entries) {
    const content = read(file)
    const { format, width: wide, height: high } = await sharp(content).metadata()
    expect({ file, format, wide, high }).toEqual({
      file,
      format: 'webp',
      wide: width,
      high: height,
    })
    expect([
      file,
      createHash('sha256').update(`${room} 1\n`).update(content).digest('hex').slice(0, 32),
    ]).toEqual([file, hash])
    expect(bytes ?? content.byteLength).toBe(content.byteLength)
  }
})

test('[S1.06] the manifest has the same data for a picture as an upload of its file', async () => {
  for (const { file, details: _, ...facts } of photos.filter((_one, at) => at % 50 === 0))
    expect({ file, ...(await preparePicture(read(file))) }).toMatchObject({ file, ...facts })
})

test('[S1.06] all photos have one size, four by three', () => {
  expect(photos.filter(({ width, height }) => width !== WIDTH || height !== WIDTH * 0.75)).toEqual(
    [],
  )
})

test('[S1.06] a detail lies within its photo', () => {
  const outside = photos.flatMap(({ file, width: wide, height: high, details }) =>
    details
      .filter(
        ({ left, top, width, height }) =>
          left < 0 || top < 0 || left + width > wide || top + height > high,
      )
      .map(() => file),
  )
  expect(outside).toEqual([])
})

test('[S1.06] the names of all photos and avatars in the market are known, and every kind is shown', () => {
  const named = readMarket('listings').flatMap((listing) => listing.photos)
  const shown = new Set(named.map((name) => photoNamed(name).hash))
  const sent = readMarket('conversations').flatMap(({ messages }) =>
    messages.flatMap(([, , , photo]) => photo ?? []),
  )
  expect(sent.filter((name) => photoNamed(name).width === 0)).toEqual([])
  const kinds = Map.groupBy(things, ({ kind }) => kind)
  const unused = [...kinds].filter(
    ([, own]) => !own.some((thing) => thing.photos.some(({ hash }) => shown.has(hash))),
  )
  expect(unused.map(([kind]) => kind)).toEqual([])
})

test('[S1.06] an avatar shows the first letter of its owner', () => {
  for (const name of ['awa.k', 'Zongo', 'moussa'])
    expect(avatarOf(name).letter).toBe(name.charAt(0).toUpperCase())
  expect(avatarOf('awa.k')).toBe(avatarOf('awa.k'))
  const wrong = readMarket('people').filter(
    ({ username, avatar }) =>
      avatar !== null && avatarNamed(avatar).letter !== username.charAt(0).toUpperCase(),
  )
  expect(wrong).toEqual([])
})
