import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { APP_NAME } from '#schema/app'
import { brotli, zip } from '../api/response.ts'
import { etagOf, send, TYPES, type WebFile } from './static.ts'

const ROOT = '/api/docs'
const START_FILE = 'start.js'

/** The default is a third-party host. */
const START = `SwaggerUIBundle({ url: '/api/schema/', dom_id: '#viewer', validatorUrl: null })
`

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${APP_NAME} API</title><link rel="icon" href="${ROOT}/favicon-32x32.png">
<link rel="stylesheet" href="${ROOT}/swagger-ui.css">
<script defer src="${ROOT}/swagger-ui-bundle.js"></script><script defer src="${ROOT}/${START_FILE}"></script>
<div id="viewer"></div><noscript><a href="/api/schema/">OpenAPI 3.1</a></noscript></html>
`

/** Swagger UI's stylesheet has images as data URLs. */
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

export function viewerRoutes(): Hono {
  const routes = new Hono({ strict: false })
  routes.get(ROOT, (c) =>
    c.body(HTML, 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'public, max-age=3600',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    }),
  )
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', START_FILE]) {
    let file: Promise<WebFile> | null = null
    routes.get(`${ROOT}/${name}`, async (c) => {
      file ??= readViewerFile(name)
      // A failed read is retried by the next request.
      file.catch(() => (file = null))
      return send(c.req.raw, await file, 200)
    })
  }
  return routes
}

async function readViewerFile(name: string): Promise<WebFile> {
  const identity =
    name === START_FILE
      ? Buffer.from(START)
      : await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const [br, packed] = type.startsWith('text/')
    ? await Promise.all([brotli(identity), zip(identity)])
    : [null, null]
  const forms = { identity, br, gzip: packed }
  return { path: `${ROOT}/${name}`, type, etag: etagOf(identity), forms }
}
