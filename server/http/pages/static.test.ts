import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isClientRoute, readWebApp, webRoutes } from './static.ts'

let web: ReturnType<typeof webRoutes>
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'web-'))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, '.vite'))
  const files = {
    'index.html': '<p>start',
    'index.html.br': 'BR',
    'index.html.gz': 'GZ',
    'sw.js': 'worker',
    'icon.svg': '<svg/>',
    'manifest.webmanifest': '{}',
    'assets/main-Ab12_-xy.js': 'code',
    'assets/main-Ab12_-xy.js.br': 'small',
    'assets/main-Ab12_-xy.js.map': 'secret',
    'assets/worker-sync.worker-Ab12_-xy.js': 'imports the next',
    'assets/worker-search-Ab12_-xy.js': 'code',
    '.vite/manifest.json': '{}',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  web = webRoutes(await readWebApp(folder))
})

test('[S6.04] hashed files are cached forever, in the smallest accepted encoding', async () => {
  const answer = await web.request('/assets/main-Ab12_-xy.js', {
    headers: { 'Accept-Encoding': 'gzip, br' },
  })
  expect(await answer.text()).toBe('small')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding, Available-Dictionary',
  })
})

test.for([
  ['br', 'br', 'BR'],
  ['gzip, deflate', 'gzip', 'GZ'],
  ['br;q=0, gzip;q=0.5', 'gzip', 'GZ'],
  ['br; q=0.0', null, '<p>start'],
  ['', null, '<p>start'],
] as const)('[S6.04] a browser that takes "%s" gets %s', async ([accepted, encoding, text]) => {
  const answer = await web.request('/', { headers: { 'Accept-Encoding': accepted } })
  expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([encoding, text])
})

test('[S4.21] the start page, service worker and manifest are revalidated each time, with a 304', async () => {
  for (const path of ['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/listings/abc?x=1']) {
    const first = await web.request(path)
    expect([path, first.status, first.headers.get('cache-control')]).toEqual([
      path,
      200,
      'no-cache',
    ])
    const again = await web.request(path, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    })
    expect([path, again.status, await again.text()]).toEqual([path, 304, ''])
  }
  expect(
    (
      await web.request('/', {
        headers: {
          'If-None-Match':
            (await web.request('/', { headers: { 'Accept-Encoding': 'br' } })).headers.get(
              'etag',
            ) ?? '',
        },
      })
    ).status,
  ).toBe(200)
})

test.for(['/nowhere', '/listings/a/b', '/settings/x'])(
  '[S2.48] %s is no screen: the start page has status 404',
  async (path) => {
    const answer = await web.request(path)
    expect([answer.status, await answer.text()]).toEqual([404, '<p>start'])
  },
)

test.for([
  '/assets/gone-12345678.js',
  '/assets/main-Ab12_-xy.js.map',
  '/.vite/manifest.json',
  '/api/nothing',
  '/media/images/x',
  '/ws/x',
  '/favicon.ico',
  '/assets',
])('[S2.48] %s is missing, and no page stands in for it', async (path) => {
  const answer = await web.request(path)
  expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([
    404,
    'no-store',
    'Not found',
  ])
})

test('[S6.04] pages, files and pictures are read-only', async () => {
  for (const path of ['/', '/listings', '/sw.js', '/media/x.webp']) {
    const answer = await web.request(path, { method: 'POST', body: '{}' })
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
  }
})

test('[S6.04] pages only run same-origin scripts', async () => {
  const policy = (await web.request('/')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toContain('unsafe')
  const policyOf = async (path: string) =>
    (await web.request(path)).headers.get('content-security-policy')
  // A worker uses the policy of its own response, a module that of its page or worker.
  for (const path of ['/sw.js', '/assets/worker-sync.worker-Ab12_-xy.js'])
    expect([path, await policyOf(path)]).toEqual([path, policy])
  for (const path of ['/assets/main-Ab12_-xy.js', '/assets/worker-search-Ab12_-xy.js'])
    expect([path, await policyOf(path)]).toEqual([path, null])
  const { headers } = await web.request('/assets/main-Ab12_-xy.js')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('[S2.01] the server has the same list of routes as the web app', async () => {
  const router = await readFile(join(import.meta.dirname, '../../../src/app/router.tsx'), 'utf8')
  const paths = [...router.matchAll(/\b(?:at|moved|screen|ownScreen)\(\s*'([^']+)'/g)].map(
    ([, path = '']) => path,
  )
  expect(paths.length).toBeGreaterThan(20)
  for (const path of paths) {
    expect([path, isClientRoute(path.replace(/\{-\$\w+\}|\$\w+/, 'some-id'))]).toEqual([path, true])
    expect([
      path,
      isClientRoute(path.replace(/\/\{-\$\w+\}/, '').replace(/\$\w+/, 'some-id')),
    ]).toEqual([path, true])
  }
})

test('[S2.48] without a build every path is 404', async () => {
  const none = webRoutes(await readWebApp(join(tmpdir(), 'no-such-build')))
  expect((await none.request('/')).status).toBe(404)
})
