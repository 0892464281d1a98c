import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bucketStore } from './bucket.ts'
import type { FileStore } from './storage.ts'

/** The part of the S3 protocol that the server uses. */
const kept = new Map<
  string,
  { bytes: Buffer; type: string | undefined; cache: string | undefined }
>()
const unsigned: string[] = []
let service: Server
let store: FileStore
let failing = 0

beforeAll(async () => {
  service = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://x')
      if (
        !/^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/auto\/s3\/aws4_request, /.test(
          request.headers.authorization ?? '',
        )
      )
        unsigned.push(url.pathname)
      if (failing > 0) {
        failing -= 1
        response.writeHead(503).end()
        return
      }
      const key = url.pathname.replace('/photos', '').replace(/^\//, '')
      if (request.method === 'PUT') {
        kept.set(key, {
          bytes: Buffer.concat(chunks),
          type: request.headers['content-type'],
          cache: request.headers['cache-control'],
        })
        response.writeHead(200).end()
      } else if (request.method === 'DELETE') {
        kept.delete(key)
        response.writeHead(204).end()
      } else if (key === '') {
        const prefix = url.searchParams.get('prefix') ?? ''
        response.writeHead(200).end(
          `<List>${[...kept.keys()]
            .filter((one) => one.startsWith(prefix))
            .map((one) => `<Contents><Key>${one}</Key></Contents>`)
            .join('')}</List>`,
        )
      } else {
        const file = kept.get(key)
        response.writeHead(file ? 200 : 404).end(file?.bytes)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  store = bucketStore({
    endpoint: `http://127.0.0.1:${port}/`,
    region: 'auto',
    bucket: 'photos',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  })
})
afterAll(() => service.close())

test('[S4.19] a bucket stores pictures like a folder, each request signed', async () => {
  expect(await store.get('images/abc/320.webp')).toBeNull()
  await store.put('images/abc/320.webp', Buffer.from('picture'))
  await store.put('images/abc/640.jpg', Buffer.from('preview'))
  await store.put('images/abcd/320.webp', Buffer.from('another'))
  expect(Buffer.from((await store.get('images/abc/320.webp')) ?? []).toString()).toBe('picture')
  expect(kept.get('images/abc/320.webp')).toMatchObject({
    type: 'image/webp',
    cache: 'public, max-age=31536000, immutable',
  })
  await store.remove('images/abc')
  expect([...kept.keys()]).toEqual(['images/abcd/320.webp'])
  expect(unsigned).toEqual([])
})

test('[S4.19] a failed call is retried; an outage is an error, never a missing picture', async () => {
  failing = 2
  await store.put('images/def/320.webp', Buffer.from('late'))
  expect(Buffer.from((await store.get('images/def/320.webp')) ?? []).toString()).toBe('late')
  failing = 100
  await expect(store.get('images/def/320.webp')).rejects.toThrow('503')
  failing = 0
})
