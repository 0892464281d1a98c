import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { mediaRoutes, rangeOf } from './routes.ts'
import { type FileStore, folderStore } from './storage.ts'

let store: FileStore
const key = 'images/8f3c21d0a7b94e15/320.webp'
beforeAll(async () => {
  store = folderStore(await mkdtemp(join(tmpdir(), 'media-')))
  await store.put(key, Buffer.from('0123456789'))
})

test('[S6.04] a picture is cached forever and readable from any origin', async () => {
  const answer = await mediaRoutes(store).request(`/media/${key}`)
  expect(await answer.text()).toBe('0123456789')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-length': '10',
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'accept-ranges': 'bytes',
    etag: '"images-8f3c21d0a7b94e15-320.webp"',
  })
  const again = await mediaRoutes(store).request(`/media/${key}`, {
    headers: { 'If-None-Match': 'W/"other", "images-8f3c21d0a7b94e15-320.webp"' },
  })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test('[S3.12] an attachment is cached privately', async () => {
  await store.put('attachments/8f3c21d0a7b94e15/320.webp', Buffer.from('x'))
  const answer = await mediaRoutes(store).request('/media/attachments/8f3c21d0a7b94e15/320.webp')
  expect(answer.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
})

test.for([
  '/media/images/8f3c21d0a7b94e15/321.webp',
  '/media/images/unknown0/320.webp',
  '/media/images/8f3c21d0a7b94e15/320.png',
  '/media/images/..%2f..%2fetc/320.webp',
  '/media/images/',
  '/media/x',
])('[S6.04] %s is not there, and nobody remembers that', async (path) => {
  const answer = await mediaRoutes(store).request(path)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
})

test('[S6.04] a range of a picture', async () => {
  const part = await mediaRoutes(store).request(`/media/${key}`, {
    headers: { Range: 'bytes=2-4' },
  })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    '234',
    'bytes 2-4/10',
  ])
  const beyond = await mediaRoutes(store).request(`/media/${key}`, {
    headers: { Range: 'bytes=10-' },
  })
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10'])
})

test.for([
  ['bytes=0-', { from: 0, to: 9 }],
  ['bytes=-3', { from: 7, to: 9 }],
  ['bytes=-99', { from: 0, to: 9 }],
  ['bytes=8-99', { from: 8, to: 9 }],
  ['bytes=5-2', null],
  ['bytes=1-2,4-5', null],
  ['words=1-2', null],
  ['bytes=-', null],
  ['bytes=-0', 'outside'],
  [undefined, null],
] as const)('[S6.04] range %s', ([header, range]) => {
  expect(rangeOf(header, 10)).toEqual(range)
})

test('[S1.06] a missing file may be made on request', async () => {
  const asked: string[] = []
  const routes = mediaRoutes(store, (wanted) => {
    asked.push(wanted)
    return Promise.resolve(wanted.endsWith('640.jpg') ? Buffer.from('drawn') : null)
  })
  expect(await (await routes.request('/media/images/8f3c21d0a7b94e15/640.jpg')).text()).toBe(
    'drawn',
  )
  expect((await routes.request('/media/images/8f3c21d0a7b94e15/160.avif')).status).toBe(404)
  expect(asked).toEqual(['images/8f3c21d0a7b94e15/640.jpg', 'images/8f3c21d0a7b94e15/160.avif'])
})
