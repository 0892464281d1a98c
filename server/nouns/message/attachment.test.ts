import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import sharp from 'sharp'
import { newId } from '../../ids.ts'
import { preparePicture } from '../../files/imageWorker/render.ts'
import { keepPicture } from '../../files/pictures.ts'
import {
  jsonIn,
  person,
  talk,
  type Json,
  type Person,
} from '../../../tests/server/support/people.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

let ama: Person
let bila: Person
let id: string
beforeEach(async () => {
  ama = await person(server, 'ama')
  bila = await person(server, 'bila')
  id = (await talk(server, ama, bila)).id
})

const photo = (width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#8a7d6b' } })
    .jpeg()
    .toBuffer()
async function send(
  who: Person,
  parts: Record<string, string | Uint8Array>,
  key = newId(),
  to = id,
): Promise<{ status: number; body: Json }> {
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.set(name, part)
    else form.set(name, new Blob([new Uint8Array(part)]), 'photo.jpg')
  }
  const response = await server.call('POST', `conversations/${to}/messages/`, {
    by: who,
    form,
    key,
  })
  return { status: response.status, body: jsonIn(await response.text()) }
}
const rows = async () =>
  (
    await server.services.database.db
      .selectFrom('message')
      .select('seq')
      .where('conversation_id', '=', id)
      .execute()
  ).length

/** An upload as `uploads/` creates it. */
async function upload(owner: Person, set: { expires_at?: Date } = {}): Promise<string> {
  const picture = await preparePicture(await photo())
  if ('code' in picture) throw new Error(picture.code)
  await keepPicture(server.services.files, picture)
  const { hash, width, height, thumbhash, color, bytes } = picture
  const upload_id = newId()
  await server.services.database.tx((tx) =>
    tx
      .insertInto('picture')
      .values({
        id: upload_id,
        owner_id: owner.id,
        hash,
        width,
        height,
        thumbhash,
        color,
        bytes,
        client_id: null,
        client_fingerprint: null,
        listing_id: null,
        message_id: null,
        position: null,
        created_at: new Date(),
        expires_at: new Date(Date.now() + 60_000),
        removed_at: null,
        ...set,
      })
      .execute(),
  )
  return upload_id
}

test('[S2.42] [API 11.5] a photo with a message, and alone, at an unguessable URL', async () => {
  const { status, body } = await send(ama, { attachment: await photo(), content: 'Voici' })
  expect(status).toBe(201)
  expect(body.attachment).toMatchObject({
    type: 'image',
    width: 900,
    height: 600,
    widths: [160, 320, 640, 900],
    formats: ['webp'],
  })
  expect(body.attachment.base).toMatch(/^\/media\/attachments\/[0-9a-f]{32}$/)
  expect(
    await server.services.files.get(body.attachment.url.slice('/media/'.length)),
  ).not.toBeNull()
  const alone = await send(ama, { attachment: await photo() })
  expect([
    alone.status,
    alone.body.content,
    alone.body.attachment.base === body.attachment.base,
  ]).toEqual([201, '', false])
  expect((await bila.get(`conversations/${id}/`)).body.last_message.attachment).toEqual(
    alone.body.attachment,
  )
})

test('[API 2] the same photo with the same key is one message', async () => {
  const [key, attachment] = [newId(), await photo()]
  const [one, two] = [await send(ama, { attachment }, key), await send(ama, { attachment }, key)]
  expect(two.body).toEqual(one.body)
  expect(await rows()).toBe(2)
})

test.each([
  ['image_type_unsupported', () => Buffer.from('%PDF-1.7 not a photo')],
  ['image_unreadable', () => Buffer.alloc(0)],
  ['image_too_small', () => photo(100, 100)],
  ['image_too_large', () => Buffer.alloc(5 * 1024 * 1024 + 1)],
])('[API 5.4] %s is the error of attachment, and no message is stored', async (code, bytes) => {
  const { status, body } = await send(ama, { attachment: await bytes(), content: 'Voici' })
  expect([status, body.field_codes]).toEqual([400, { attachment: [{ code }] }])
  expect(await rows()).toBe(1)
})

test('[API 1.1] [API 11.5] of two photos the last counts; strangers and blocked senders are refused', async () => {
  const form = new FormData()
  for (const bytes of [Buffer.from('no photo'), await photo()])
    form.append('attachment', new Blob([new Uint8Array(bytes)]))
  expect(
    (await server.call('POST', `conversations/${id}/messages/`, { by: ama, form })).status,
  ).toBe(201)
  const stranger = await person(server, 'stranger')
  expect((await send(stranger, { attachment: await photo() })).status).toBe(404)
  await server.services.database.tx((tx) =>
    tx
      .insertInto('block')
      .values({ blocker_id: bila.id, blocked_id: ama.id, created_at: new Date() })
      .execute(),
  )
  expect((await send(ama, { attachment: await photo() })).body.code).toBe('cannot_message_user')
})

test('[API 6.2] an upload is used once, by its owner, before it expires', async () => {
  const mine = await upload(ama)
  const at = `conversations/${id}/messages/`
  const first = await ama.post(at, { attachment_upload_id: mine })
  expect([first.status, first.body.attachment.id]).toEqual([201, mine])
  expect(
    await server.services.files.get(first.body.attachment.url.slice('/media/'.length)),
  ).not.toBeNull()
  for (const bad of [
    mine,
    await upload(bila),
    await upload(ama, { expires_at: new Date(Date.now() - 1) }),
    'nothing',
  ]) {
    const answer = await ama.post(at, { content: 'x', attachment_upload_id: bad })
    expect([answer.status, answer.body.field_codes]).toEqual([
      400,
      { attachment_upload_id: [{ code: 'upload_not_found', upload_id: bad }] },
    ])
  }
  const twice = await upload(ama)
  const both = await Promise.all([
    ama.post(at, { attachment_upload_id: twice }),
    ama.post(at, { attachment_upload_id: twice }),
  ])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400])
})
