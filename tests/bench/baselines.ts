import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { FIRST, type Row, textsOf } from './pages/row.ts'

const folder = '.cache/bench'
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
}

/**
 * Cross-origin isolation gives a clock of 5 µs instead of 100, a tenth of what the store page
 * measures (https://developer.mozilla.org/docs/Web/API/Performance_API/High_precision_timing).
 */
const alone = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
} as const

/** A photo of a card, as the product serves it. */
export interface Photo {
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
}

/** A page whose only script is one button's: the least that a list can cost. */
function l1(rows: readonly Row[], photos: readonly Photo[]): string {
  const image = (at: number): string => {
    const { path } = photos[at] ?? {}
    return path === undefined ? '' : `<img src="${path}" loading="lazy" width="164" height="123">`
  }
  const texts = rows.slice(0, FIRST).map((row) =>
    textsOf(row)
      .map((word) => `<p>${escape(word)}</p>`)
      .join(''),
  )
  const count = Math.max(texts.length, photos.length)
  const cards = Array.from(
    { length: count },
    (_, at) => `<article>${image(at)}${texts[at] ?? ''}</article>`,
  )
  return `<!doctype html><html lang="fr"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>L1</title>
<style>article { width: 164px; display: inline-block; vertical-align: top }</style><main>
<button aria-expanded="false"
  onclick="this.setAttribute('aria-expanded', this.getAttribute('aria-expanded') === 'false')"
>Filtrer</button>${cards.join('')}</main></html>`
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Caches every built file and answers from there: how the baselines open without a network. */
function serviceWorker(files: readonly string[]): string {
  return `addEventListener('install', (e) => e.waitUntil(
  caches.open('all').then((c) => c.addAll(${JSON.stringify(files)})).then(() => skipWaiting())))
addEventListener('activate', (e) => e.waitUntil(clients.claim()))
addEventListener('fetch', (e) => e.respondWith(caches.match(e.request).then((kept) => kept || fetch(e.request))))`
}

/**
 * Serves the baselines L1, L2, L3 and R1 on a free port, compressed like the product. `listings`
 * are the market's rows, `rows` what a list shows of them.
 */
export async function serveBaselines(
  page: unknown,
  listings: readonly unknown[],
  rows: readonly Row[],
  photos: readonly Photo[] = [],
  inSight = 0,
): Promise<{ readonly server: Server; readonly port: number }> {
  execFileSync('vite', ['build', '-c', 'tests/bench/pages/vite.config.ts', '--logLevel', 'error'], {
    stdio: 'inherit',
  })
  const built = globSync(`${folder}/**/*.{html,js}`).filter((file) => existsSync(file))
  const answers = new Map<string, { readonly body: Buffer; readonly type: string }>()
  const add = (path: string, text: string | Buffer, type: string): void => {
    const body = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    answers.set(path, { body, type })
  }
  const paths = built.map((file) => `/${file.slice(folder.length + 1).replace('index.html', '')}`)
  for (const [at, file] of built.entries())
    add(paths[at] ?? '', readFileSync(join(file)), types[extname(file)] ?? 'text/plain')
  add('/l1/', l1(rows, photos), 'text/html; charset=utf-8')
  add('/photos/', l1([], photos.slice(0, inSight)), 'text/html; charset=utf-8')
  const files = new Map(photos.map((photo) => [photo.path, photo]))
  add('/api/listings/', JSON.stringify(page), 'application/json')
  add('/listings.json', JSON.stringify(listings), 'application/json')
  add('/rows.json', JSON.stringify(rows), 'application/json')
  add('/sw.js', serviceWorker(paths), 'text/javascript')
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const photo = files.get(path)
    if (photo) return void response.writeHead(200, { 'content-type': photo.type }).end(photo.bytes)
    const found = answers.get(path)
    if (!found) return void response.writeHead(404).end()
    response
      .writeHead(200, {
        ...(/\.js$|^\/store\/$/.test(path) && alone),
        'content-type': found.type,
        'content-encoding': 'br',
        'cache-control': 'no-cache',
        'content-length': found.body.length,
      })
      .end(found.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { server, port: address.port }
}
