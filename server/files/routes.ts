import { type Context, Hono } from 'hono'
import { etagMatches } from './etag.ts'
import { typeOf, type FileStore } from './storage.ts'

/** For files that are not stored yet; null: there is none. */
export type MakeVariant = (key: string) => Promise<Uint8Array | null>

const SHAPE = /^(images|avatars|attachments)\/[A-Za-z0-9_-]{8,64}\/\d{2,5}\.(webp|jpg|avif)$/

/** [API 6.3] The bytes of an address never change. */
export function mediaRoutes(
  store: FileStore,
  makeVariant: MakeVariant = () => Promise.resolve(null),
): Hono {
  const routes = new Hono()
  routes.get('/media/*', async (c) => {
    const key = c.req.path.slice('/media/'.length)
    if (!SHAPE.test(key)) return absent(c)
    const bytes = (await store.get(key)) ?? (await makeVariant(key))
    return bytes ? answer(c, key, bytes) : absent(c)
  })
  return routes
}

function absent(c: Context) {
  return c.body(null, 404, { 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*' })
}

function answer(c: Context, key: string, bytes: Uint8Array) {
  const etag = `"${key.replaceAll('/', '-')}"`
  const headers = {
    'Content-Type': typeOf(key),
    ETag: etag,
    // Private to two people: no shared cache may store it [API 11.5].
    'Cache-Control': `${key.startsWith('attachments/') ? 'private' : 'public'}, max-age=31536000, immutable`,
    'Access-Control-Allow-Origin': '*',
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
  }
  if (etagMatches(c.req.header('If-None-Match'), etag)) return c.body(null, 304, headers)
  const range = rangeOf(c.req.header('Range'), bytes.byteLength)
  if (range === 'outside')
    return c.body(null, 416, {
      ...headers,
      'Cache-Control': 'no-store',
      'Content-Range': `bytes */${bytes.byteLength}`,
    })
  const part = range ? bytes.subarray(range.from, range.to + 1) : bytes
  return c.body(part.slice(), range ? 206 : 200, {
    ...headers,
    'Content-Length': `${part.byteLength}`,
    ...(range && { 'Content-Range': `bytes ${range.from}-${range.to}/${bytes.byteLength}` }),
  })
}

/**
 * Inclusive; null for none, several or an unknown unit: then the whole is sent (RFC 9110).
 * `serveStatic` has ranges for a folder only.
 */
export function rangeOf(
  header: string | undefined,
  size: number,
): { from: number; to: number } | 'outside' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && first !== '' && Number(last) < from) return null
  return from >= size || (first === '' && last === '0') ? 'outside' : { from, to }
}
