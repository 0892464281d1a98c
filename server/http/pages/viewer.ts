import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Hono } from 'hono'
import { APP_NAME } from '#schema/app'
import { etagOf, send, TYPES, type WebFile } from './static.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const ROOT = '/api/docs'
const PACKAGE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const
const START_FILE = 'start.js'

/** `validatorUrl: null`: the default is a third-party host. */
const START = `SwaggerUIBundle({ url: '/api/schema/', dom_id: '#viewer', validatorUrl: null })
`

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${APP_NAME} API</title><link rel="icon" href="${ROOT}/favicon-32x32.png">
<link rel="stylesheet" href="${ROOT}/swagger-ui.css">
<script defer src="${ROOT}/swagger-ui-bundle.js"></script><script defer src="${ROOT}/${START_FILE}"></script>
<div id="viewer"></div><noscript><a href="/api/schema/">OpenAPI 3.1</a></noscript></html>
`

/**
 * Swagger UI's stylesheet has images as data URLs; everything else is same-origin, and no inline
 * code runs.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Reads the files of Swagger UI from its package on the first request. */
export function viewerRoutes(): Hono {
  const routes = new Hono({ strict: false })
  const files = new Map<string, Promise<WebFile>>()
  const file = (name: string, read: () => Promise<Buffer>): Promise<WebFile> => {
    const known = files.get(name)
    if (known !== undefined) return known
    const made = read().then((bytes) => webFile(`${ROOT}/${name}`, bytes))
    files.set(name, made)
    // A failed read is retried by the next request.
    made.catch(() => files.delete(name))
    return made
  }
  routes.get(ROOT, (c) =>
    c.body(HTML, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    }),
  )
  for (const name of PACKAGE_FILES)
    routes.get(`${ROOT}/${name}`, async (c) =>
      send(c.req.raw, await file(name, () => readFile(inPackage(name))), 200),
    )
  routes.get(`${ROOT}/${START_FILE}`, async (c) =>
    send(c.req.raw, await file(START_FILE, () => Promise.resolve(Buffer.from(START))), 200),
  )
  return routes
}

const inPackage = (name: string): string =>
  fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))

async function webFile(path: string, identity: Buffer): Promise<WebFile> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  const text = type.startsWith('text/')
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  const [br, packed] = text
    ? await Promise.all([brotli(identity, quality), zip(identity)])
    : [null, null]
  return { path, type, etag: etagOf(identity), forms: { identity, br, gzip: packed } }
}
