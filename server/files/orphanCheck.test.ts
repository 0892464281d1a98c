import { afterAll, beforeAll, expect, test } from 'vitest'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import * as v from 'valibot'
import { user } from '#schema/wire/account'
import { uploadPhoto } from '#schema/wire/own'
import { hashPassword } from '../nouns/account/password.ts'
import { testServer, type Person, type TestServer } from '../../tests/server/support/server.ts'

const START = new Date('2026-03-01T10:00:00Z')
const HOUR = 3_600_000
let clock = START
let server: TestServer
let ama: Person
beforeAll(async () => {
  server = await testServer([], {}, { clock: () => clock })
  ama = await server.person('ama')
})
afterAll(() => server.close())

const later = (hours: number) => new Date(START.getTime() + hours * HOUR)
const folders = (room: string) =>
  readdir(join(server.services.config.dataDir, 'media', room)).catch(() => [])

async function form(
  colour: string,
  parts: Record<string, string>,
  name: string,
): Promise<FormData> {
  const whole = new FormData()
  for (const [part, text] of Object.entries(parts)) whole.set(part, text)
  const bytes = await sharp({
    create: { width: 300, height: 250, channels: 3, background: colour },
  })
    .jpeg()
    .toBuffer()
  whole.set(name, new Blob([new Uint8Array(bytes)]), 'photo.jpg')
  return whole
}

const REFUSED = {
  title: 'Vélo de ville',
  description: 'Bon état',
  category: 'sports',
  region: 'kadiogo',
  price: '5000',
  uploaded_image_ids: 'none',
}

test('[API 5.4] files of a photo whose request failed late are removed later', async () => {
  clock = START
  const response = await server.call('POST', 'listings/', {
    by: ama,
    form: await form('#123456', REFUSED, 'uploaded_images'),
  })
  expect(response.status).toBe(400)
  expect(await folders('images')).toHaveLength(1)
  clock = later(0.9)
  await server.job('files')
  expect(await folders('images')).toHaveLength(1)
  clock = later(1)
  expect(await server.job('files')).toBe(1)
  expect(await folders('images')).toEqual([])
})

test('files with a row stay, and so do those of a photo that is being sent again', async () => {
  clock = START
  await server.call('POST', 'listings/', {
    by: ama,
    form: await form('#654321', REFUSED, 'uploaded_images'),
  })
  clock = later(0.5)
  const response = await server.call('POST', 'uploads/', {
    by: ama,
    form: await form('#654321', {}, 'file'),
  })
  const { upload_id } = v.parse(uploadPhoto.answer, await response.json())
  await server.services.database.db.deleteFrom('picture').where('id', '=', upload_id).execute()
  clock = later(1)
  expect(await server.job('files')).toBe(1)
  expect(await folders('images')).toHaveLength(1)
  await server.call('POST', 'uploads/', { by: ama, form: await form('#654321', {}, 'file') })
  clock = later(3)
  expect(await server.job('files')).toBe(2)
  expect(await folders('images')).toHaveLength(1)
})

test('[API 7.7] a deleted account’s avatar is removed; a replaced one stays for cached lists', async () => {
  clock = START
  const me = await server.person('bila')
  const send = async (colour: string) =>
    v.parse(
      user,
      await (
        await server.call('PATCH', 'auth/me/', { by: me, form: await form(colour, {}, 'avatar') })
      ).json(),
    ).avatar
  const [first, second] = [await send('#aa0000'), await send('#00aa00')]
  expect(first).not.toBe(second)
  clock = later(2)
  await server.job('files')
  expect(await folders('avatars')).toHaveLength(2)
  clock = later(7 * 24)
  await server.job('files')
  expect((await folders('avatars')).map((folder) => `/media/avatars/${folder}/256.webp`)).toEqual([
    second,
  ])
  await server.services.database.db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword('secret1') })
    .where('id', '=', me.id)
    .execute()
  expect(
    (await server.call('DELETE', 'auth/me/', { by: me, json: { current_password: 'secret1' } }))
      .status,
  ).toBe(204)
  await server.job('files')
  expect(await folders('avatars')).toEqual([])
})

test('a photo of a message that was refused late leaves no files either', async () => {
  clock = START
  const response = await server.call('POST', 'conversations/none/messages/', {
    by: ama,
    form: await form('#0000aa', { content: 'Voici' }, 'attachment'),
  })
  expect(response.status).toBe(404)
  expect(await folders('attachments')).toEqual([])
})
