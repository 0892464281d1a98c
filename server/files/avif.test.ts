import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { derive } from '../nouns/listing/derive.ts'
import { newId } from '../ids.ts'
import { type TestServer, testServer } from '../../tests/server/support/server.ts'
import { preparePicture } from './imageWorker/render.ts'
import { keepPicture } from './pictures.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function photo(width: number, kept = true): Promise<string> {
  const owner = await server.person()
  const shapes = await sharp({
    create: {
      width: 60,
      height: 45,
      channels: 3,
      background: '#3a7a46',
      noise: { type: 'gaussian', mean: 128, sigma: 50 },
    },
  })
    .png()
    .toBuffer()
  const bytes = await sharp(shapes)
    .resize(width, 600, { fit: 'fill', kernel: 'cubic' })
    .jpeg({ quality: 90 })
    .toBuffer()
  const picture = await preparePicture(bytes)
  if ('code' in picture) throw new Error(picture.code)
  if (kept) await keepPicture(server.services.files, picture)
  const [listing, now] = [newId(), new Date()]
  const values = {
    title: 'Vélo',
    description: 'Un vélo',
    category: 'sports',
    region: 'kadiogo',
    town: null,
    neighbourhood: null,
    location_note: null,
    specs: {},
  }
  await server.services.database.tx(async (tx) => {
    await tx
      .insertInto('listing')
      .values({
        ...values,
        ...derive(values),
        specs: sql`'{}'::jsonb`,
        id: listing,
        seller_id: owner.id,
        created_at: now,
        updated_at: now,
      })
      .execute()
    const { hash, height, thumbhash, color } = picture
    await tx
      .insertInto('picture')
      .values({
        id: newId(),
        owner_id: owner.id,
        hash,
        width: picture.width,
        height,
        thumbhash,
        color,
        bytes: picture.bytes,
        listing_id: listing,
        position: 0,
        created_at: now,
      })
      .execute()
  })
  return picture.hash
}

const made = (hash: string) =>
  server.services.database.db
    .selectFrom('picture')
    .select(['formats', 'avif_widths'])
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow()

const NONE = { formats: ['webp'], avif_widths: [] }
const WIDTHS = [160, 240, 320, 360, 512, 520]

test('[S4.19] [API 6.3] AVIF is listed once every width of it is there, and is smaller', async () => {
  const hash = await photo(520)
  expect(await made(hash)).toEqual(NONE)
  expect(await server.job('variants')).toBe(1)
  expect(await made(hash)).toEqual({ formats: ['avif', 'webp'], avif_widths: WIDTHS })
  const sizes = { avif: 0, webp: 0 }
  for (const width of WIDTHS) {
    const answer = await server.app.request(`/media/images/${hash}/${width}.avif`)
    expect([width, answer.status, answer.headers.get('content-type')]).toEqual([
      width,
      200,
      'image/avif',
    ])
    const webp = await server.app.request(`/media/images/${hash}/${width}.webp`)
    if (webp.status !== 200) continue
    sizes.avif += (await answer.arrayBuffer()).byteLength
    sizes.webp += (await webp.arrayBuffer()).byteLength
  }
  expect(sizes.avif).toBeLessThan(sizes.webp)
  expect(await server.job('variants')).toBe(0)
})

test('[API 6.3] a photo from before has its missing widths made; bytes under an address stay', async () => {
  const hash = await photo(500)
  const { files, database } = server.services
  const before = new TextEncoder().encode('made by an older encoder')
  for (const width of [160, 320, 500]) await files.put(`images/${hash}/${width}.avif`, before)
  await database.db
    .updateTable('picture')
    .set({ formats: ['avif', 'webp'] })
    .where('hash', '=', hash)
    .execute()
  expect(await server.job('variants')).toBe(1)
  expect(await made(hash)).toEqual({
    formats: ['avif', 'webp'],
    avif_widths: [160, 240, 320, 360, 500],
  })
  expect(await files.get(`images/${hash}/320.avif`)).toEqual(Buffer.from(before))
  expect((await files.get(`images/${hash}/240.avif`))?.byteLength).toBeGreaterThan(200)
})

test('[S4.19] a photo whose file is gone is left as it is, and not tried for ever', async () => {
  const hash = await photo(700, false)
  expect(await server.job('variants')).toBe(0)
  expect(await made(hash)).toEqual(NONE)
  const open = await server.services.database.db
    .selectFrom('picture')
    .select('id')
    .where('settled_at', 'is', null)
    .execute()
  expect(open).toEqual([])
})
