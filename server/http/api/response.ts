import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip } from 'node:zlib'
import { parseAccept } from 'hono/utils/accept'
import type { Cache } from '#schema/wire/call'
import { etagMatches } from '../../files/etag.ts'

/** A thread takes 0.3 ms of this one to call. */
const THREAD_FROM = 32_768

export async function brotli(body: Buffer) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
  }
  return body.byteLength < THREAD_FROM
    ? brotliCompressSync(body, { params })
    : promisify(brotliCompress)(body, { params })
}
export const zip = promisify(gzip)
const COMPRESS_FROM = 1024
const VARY = 'Accept-Encoding, Accept-Language, Authorization'

/**
 * Weak ETag, 304 before compressing, brotli or gzip from 1 KB on (hono/compress has no brotli).
 * HEAD gets the headers of the uncompressed GET.
 */
export async function finish(
  request: Request,
  status: number,
  text: string,
  headers: Headers,
  cache: Cache,
): Promise<Response> {
  if (!headers.has('Content-Type')) headers.set('Content-Type', 'application/json; charset=utf-8')
  const read = request.method === 'GET' || request.method === 'HEAD'
  if (read) headers.set('Vary', VARY)
  if (read && status === 200 && cache !== 'counted' && cache !== 'none') {
    const tag = `W/"${hash('sha1', text, 'base64url')}"`
    headers.set('ETag', tag)
    if (etagMatches(request.headers.get('if-none-match'), tag)) {
      headers.delete('Content-Type')
      return new Response(null, { status: 304, headers })
    }
  }
  const body = Buffer.from(text)
  if (request.method === 'HEAD') {
    headers.set('Content-Length', `${body.byteLength}`)
    return new Response(null, { status, headers })
  }
  const encoding =
    body.byteLength < COMPRESS_FROM ? null : encodingOf(request.headers.get('accept-encoding'))
  if (encoding === null) return new Response(body, { status, headers })
  headers.set('Content-Encoding', encoding)
  headers.set('Vary', VARY)
  const packed = await (encoding === 'br' ? brotli(body) : zip(body))
  return new Response(new Uint8Array(packed), { status, headers })
}

/** Prefers br to gzip; `q=0` is a refusal. */
export function encodingOf(
  header: string | null,
  has: (encoding: 'br' | 'gzip') => boolean = () => true,
): 'br' | 'gzip' | null {
  const taken = acceptedEncodings(header)
  return (['br', 'gzip'] as const).find((one) => taken.has(one) && has(one)) ?? null
}

/** Of `Accept-Encoding`, in lower case. */
export const acceptedEncodings = (header: string | null): ReadonlySet<string> =>
  new Set(parseAccept(header ?? '').flatMap(({ type, q }) => (q > 0 ? [type.toLowerCase()] : [])))
