import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Hono } from 'hono'
import { etagMatches } from '../../files/etag.ts'
import { type Deltas, HASHED, patternOf } from './deltas.ts'
import { pageHeaders } from './policy.ts'
import { encodingOf } from '../api/response.ts'

export type WebFile = Readonly<{
  path: string
  type: string
  etag: string
  forms: Readonly<Record<'identity' | 'br' | 'gzip', Buffer | null>>
}>

/** In memory, by path; the build manifest is under NOTES. */
export type WebApp = ReadonlyMap<string, WebFile>
/** Not a path, so that no request can match it. */
export const NOTES = 'notes'

export const textOf = (app: WebApp, path: string) => app.get(path)?.forms.identity?.toString('utf8')

const MANIFEST = '/.vite/manifest.json'
export const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Empty: the app was not built. */
export async function readWebApp(folder: string): Promise<WebApp> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
  // Dot folders belong to the build.
  const served = names.filter((name) => !/\/\.|\.(br|gz|map)$/.test(name))
  const form = (name: string) => (names.includes(name) ? readFile(join(folder, name)) : null)
  const files = await Promise.all(served.map((path) => readForms(path)))
  const all = new Map(files.map((file) => [file.path, file]))
  return names.includes(MANIFEST) ? all.set(NOTES, await readForms(MANIFEST)) : all

  async function readForms(path: string) {
    const [identity, br, gzip] = await Promise.all([
      readFile(join(folder, path)),
      form(`${path}.br`),
      form(`${path}.gz`),
    ])
    const etag = etagOf(identity)
    return {
      path,
      type: TYPES[extname(path)] ?? 'application/octet-stream',
      etag,
      forms: { identity, br, gzip },
    }
  }
}

/** Unknown addresses get the start page with 404. */
export function webRoutes(app: WebApp, deltas: Deltas | null = null): Hono {
  const routes = new Hono()
  routes.get('*', async (c) => {
    const path = c.req.path
    const file = app.get(path)
    if (file) return send(c.req.raw, file, 200, (await deltas?.of(c.req.raw, file)) ?? null)
    const start = app.get('/index.html')
    // The start page would be parsed as a script or image.
    if (!start || /^\/(api|media|ws|assets)(\/|$)|\.\w{1,5}$/.test(path))
      return c.text('Not found', 404, { 'Cache-Control': 'no-store', ...pageHeaders })
    return send(c.req.raw, start, isClientRoute(path) ? 200 : 404)
  })
  // API calls are routed before.
  routes.all('*', (c) =>
    c.text('Method not allowed', 405, {
      Allow: 'GET, HEAD',
      'Cache-Control': 'no-store',
      ...pageHeaders,
    }),
  )
  return routes
}

/** `serveStatic` reads `br;q=0` as `br`, and sends no ETag. */
export function send(
  request: Request,
  file: WebFile,
  status: 200 | 404,
  delta: Buffer | null = null,
): Response {
  const accepted = request.headers.get('Accept-Encoding')
  const form = encodingOf(accepted, (one) => file.forms[one] !== null) ?? 'identity'
  const encoding = delta ? 'dcz' : form
  // One per encoding, or a cache would mix them up.
  const etag = `"${delta ? etagOf(delta) : file.etag}-${encoding}"`
  const pattern = patternOf(file.path)
  const headers = new Headers({
    'Content-Type': file.type,
    ETag: etag,
    Vary: pattern === null ? 'Accept-Encoding' : 'Accept-Encoding, Available-Dictionary',
    // Some shared caches ignore `Vary`, and would send a delta to a browser that cannot read it.
    'Cache-Control': delta ? `private, ${FOR_EVER}` : cacheOf(file.path),
    ...(pattern !== null && { 'Use-As-Dictionary': `match="${pattern}"` }),
  })
  // What a 304 leaves out stays as it is cached (RFC 9111).
  if (status === 200 && etagMatches(request.headers.get('If-None-Match'), etag))
    return new Response(null, { status: 304, headers })
  const rules = obeys(file) ? pageHeaders : { 'X-Content-Type-Options': 'nosniff' }
  for (const [name, value] of Object.entries(rules)) headers.set(name, value)
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding)
  const bytes = delta ?? file.forms[form] ?? file.forms.identity
  headers.set('Content-Length', `${bytes?.byteLength ?? 0}`)
  return new Response(bytes === null || request.method === 'HEAD' ? null : new Uint8Array(bytes), {
    status,
    headers,
  })
}

/** Pages and workers read the policy from their own response, what workers import has theirs. */
const obeys = ({ path, type }: WebFile) =>
  type.startsWith('text/html') || /^\/[^/]+\.js$|\/worker-[^/]+\.worker-[^/]+\.js$/.test(path)

const FOR_EVER = 'max-age=31536000, immutable'
const cacheOf = (path: string) =>
  HASHED.test(path)
    ? `public, ${FOR_EVER}`
    : /\.(png|svg|ico)$/.test(path)
      ? 'public, max-age=86400'
      : 'no-cache'

export const etagOf = (bytes: Buffer) => hash('sha256', bytes, 'base64url').slice(0, 22)

/** Screens ([S2.01] to [S2.22]); a test compares them with the app's router. */
const EXACT = new Set([
  '/',
  '/recommendations',
  '/listings',
  '/browse',
  '/create-listing',
  '/dashboard',
  '/shop',
  '/messages',
  '/notifications',
  '/profile',
  '/outbox',
  '/saved',
  '/settings',
  '/help',
  '/auth',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/install',
  '/support/add-to-home',
  '/privacy',
  '/terms',
  '/post-ad',
  '/categories',
  '/safety',
])
const WITH_ID = /^\/(listings|shop|messages)\/[^/]+$/

export function isClientRoute(path: string) {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path
  return EXACT.has(plain) || WITH_ID.test(plain)
}
