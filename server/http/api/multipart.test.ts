import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { call } from '#schema/wire/call'
import { clientId } from '#schema/wire/shapes'
import type { RawBody } from '../../route/exchange.ts'
import { readBody } from './body.ts'
import { removeFiles } from './multipart.ts'
import { Refusal } from '../../route/refusal.ts'

const MB = 1024 * 1024
const upload = call('test.upload', 'POST', 'test/', {
  form: 'both',
  files: { photos: 2, avatar: 1 },
  bodyMax: 12 * MB,
  query: null,
  body: v.object({ title: v.string(), tags: v.array(v.string()), client_id: clientId }),
  answer: null,
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'yaar-form-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const file = (bytes: number, fill = 7) => new Blob([new Uint8Array(bytes).fill(fill)])
function form(...parts: readonly (readonly [string, string | Blob])[]): FormData {
  const made = new FormData()
  for (const [name, value] of parts) made.append(name, value)
  return made
}
/** Reads the bytes first: a streamed FormData cannot be aborted. */
async function read(
  body: FormData | string,
  headers: Record<string, string> = {},
): Promise<RawBody> {
  const whole = new Response(body)
  const type = headers['Content-Type'] ?? whole.headers.get('Content-Type') ?? ''
  return readBody(
    upload,
    new Request('http://yaar.test/api/test/', {
      method: 'POST',
      body: await whole.arrayBuffer(),
      headers: { 'Content-Type': type },
    }),
    folder,
  )
}
const refusal = async (promise: Promise<RawBody>) => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Refusal)) throw new Error('was not refused')
  return {
    code: error.code,
    fields: Object.fromEntries(
      Object.entries(error.fields).map(([name, [fault]]) => [name, fault?.code]),
    ),
  }
}
const leftOver = async () => (await readdir(folder)).length

test('[API 6.1] texts are collected, files stay on disk until they are removed, and x[] is x', async () => {
  const body = await read(
    form(
      ['title', 'Été'],
      ['tags', 'a'],
      ['tags', 'b'],
      ['photos[]', file(10)],
      ['photos', file(20)],
    ),
  )
  expect(body.values).toEqual({ title: 'Été', tags: ['a', 'b'] })
  const photos = body.files['photos'] ?? []
  expect(photos.map(({ bytes, tooLarge }) => [bytes, tooLarge])).toEqual([
    [10, false],
    [20, false],
  ])
  expect((await readFile(photos[1]?.path ?? '')).byteLength).toBe(20)
  await removeFiles(body.files)
  expect(await leftOver()).toBe(0)
})

test('[API 1.1] of two files for a single field the last one counts; the fingerprint covers both', async () => {
  const body = await read(form(['avatar', file(10, 1)], ['title', 'x'], ['avatar', file(20, 2)]))
  expect(body.files['avatar']?.map(({ bytes }) => bytes)).toEqual([20])
  expect(await leftOver()).toBe(1)
  await removeFiles(body.files)
  const alone = await read(form(['title', 'x'], ['avatar', file(20, 2)]))
  expect(alone.fingerprint.equals(body.fingerprint)).toBe(false)
  await removeFiles(alone.files)
  await refusal(
    read(
      form(
        ['avatar', file(10)],
        ['avatar', file(10)],
        ['photos', file(1)],
        ['photos', file(1)],
        ['photos', file(1)],
      ),
    ),
  )
  expect(await leftOver()).toBe(0)
})

test('[API 5.4] a surplus file is refused at its start, a large one flagged; no file is left', async () => {
  expect(
    await refusal(read(form(['photos', file(1)], ['photos', file(1)], ['photos', file(1)]))),
  ).toEqual({ code: 'validation_error', fields: { photos: 'too_many_images' } })
  const body = await read(form(['photos', file(5 * MB)], ['photos', file(5 * MB + 1)]))
  expect(body.files['photos']?.map(({ tooLarge }) => tooLarge)).toEqual([false, true])
  await removeFiles(body.files)
  expect(await leftOver()).toBe(0)
})

test('[API 1.2] too many bytes and more than 40 parts are 413', async () => {
  expect(
    (
      await refusal(
        read(form(['photos', file(5 * MB)], ['photos', file(5 * MB)], ['avatar', file(3 * MB)])),
      )
    ).code,
  ).toBe('payload_too_large')
  expect(
    (await refusal(read(form(...Array.from({ length: 41 }, (_, n) => [`x${n}`, ''] as const)))))
      .code,
  ).toBe('payload_too_large')
  expect(await leftOver()).toBe(0)
})

const BOUNDARY = { 'Content-Type': 'multipart/form-data; boundary=b' }
test.each([
  ['cut in the middle', '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nhalf'],
  [
    'cut in a file',
    '--b\r\nContent-Disposition: form-data; name="photos"; filename="a"\r\n\r\nhalf',
  ],
  ['with a NUL', '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\na\0b\r\n--b--\r\n'],
  ['without parts', 'nothing'],
])('[API 1.1] a form %s is a parse_error and leaves nothing', async (_, text) => {
  expect((await refusal(read(text, BOUNDARY))).code).toBe('parse_error')
  expect(await leftOver()).toBe(0)
})

test('[API 1.1] bytes that are no UTF-8 in a text are a parse_error', async () => {
  const bytes = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="title"\r\n\r\n'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('\r\n--b--\r\n'),
  ])
  const request = new Request('http://yaar.test/', {
    method: 'POST',
    body: bytes,
    headers: BOUNDARY,
  })
  expect((await refusal(readBody(upload, request, folder))).code).toBe('parse_error')
})

test('[API 2] the fingerprint covers bytes and names, not order, boundary, file names or client_id', async () => {
  const print = async (body: FormData | string, headers?: Record<string, string>) => {
    const raw = await read(body, headers)
    await removeFiles(raw.files)
    return raw.fingerprint.toString('hex')
  }
  const one = await print(form(['title', 'a'], ['photos', file(10)], ['client_id', '1']))
  expect(await print(form(['photos', file(10)], ['client_id', '2'], ['title', 'a']))).toBe(one)
  expect(await print(form(['title', 'a'], ['photos', file(10, 8)]))).not.toBe(one)
  expect(await print(form(['title', 'b'], ['photos', file(10)]))).not.toBe(one)
  const json = { 'Content-Type': 'application/json' }
  expect(await print('{"title":"a","tags":[]}', json)).toBe(
    await print('{ "tags": [], "client_id": "x", "title": "a" }', json),
  )
  expect(await print('{"title":"a"}', json)).not.toBe(await print(form(['title', 'a'])))
})

test.each([
  [
    'after a text that is refused',
    'Content-Disposition: form-data; name="title"\r\n\r\n\0\r\n--b\r\n' +
      'Content-Disposition: form-data; name="avatar"; filename="a.jpg"\r\n\r\n\r\n',
  ],
  [
    'with nothing after its head',
    'Content-Disposition: form-data; name="avatar"; filename="a.jpg"\r\n\r\n',
  ],
  [
    'with nothing but a line',
    'Content-Disposition: form-data; name="avatar"; filename="a.jpg"\r\n\r\n\r\n',
  ],
])('[API 1.1] a file %s in a form that breaks off is refused at once', async (_, parts) => {
  const broken = read(`--b\r\n${parts}`, { 'Content-Type': 'multipart/form-data; boundary=b' })
  expect(await refusal(broken)).toEqual({ code: 'parse_error', fields: {} })
})
