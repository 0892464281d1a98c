import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { fillDemo } from '../../demo/fill.ts'
import { type TestServer, testServer } from '../../../tests/server/support/server.ts'
import { addListing } from '../../../tests/server/support/sample.ts'
import { pageRoutes } from './page.ts'
import type { Prerender } from './prerender.ts'
import { sitemapRoutes } from './sitemap.ts'
import type { WebApp } from './static.ts'

const file = (path: string, text: string) =>
  [
    path,
    {
      path,
      type: 'text/html; charset=utf-8',
      etag: 'x',
      forms: { identity: Buffer.from(text), br: null, gzip: null },
    },
  ] as const
const notes = JSON.stringify({
  'src/features/listing/ListingScreen.tsx': {
    file: 'assets/ListingScreen-12345678.js',
    imports: ['_part.js'],
    css: ['assets/Listing-12345678.css'],
  },
  '_part.js': { file: 'assets/part-12345678.js' },
})
const web: WebApp = new Map([
  file(
    '/index.html',
    '<!doctype html><html lang="fr"><head><meta name="description" content="x" />' +
      '<title>Yaar</title></head><body><div id="root"></div></body></html>',
  ),
  file('/assets/Listing-12345678.css', '.gallery{color:red}'),
  file('notes', notes),
])

const from = { by: 'server', at: 0, saveData: false, answers: {} } as const
let server: TestServer
let listing: { id: string; title: string; seller: { slug: string | null } }
beforeAll(async () => {
  server = await testServer([], {}, { web })
  await fillDemo(server.services.database, { listings: 120, users: 60 }, Date.now())
  const cards = v.object({
    results: v.array(
      v.object({
        id: v.string(),
        title: v.string(),
        images_count: v.number(),
        seller: v.object({ slug: v.nullable(v.string()) }),
      }),
    ),
  })
  const { results } = v.parse(
    cards,
    await (await server.call('GET', 'listings/?has_images=1&category=motos')).json(),
  )
  const [first] = results
  if (!first) throw new Error('no listing')
  listing = first
})
afterAll(() => server.close())

async function page(path: string, headers: Record<string, string> = {}) {
  const answer = await server.app.request(path, { headers })
  const html = await answer.text()
  const data = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json = '']): unknown => JSON.parse(json),
  )
  const meta = Object.fromEntries(
    [...html.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)].map(
      ([, name = '', content = '']) => [name, content],
    ),
  )
  return { answer, html, data, meta, title: /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '' }
}

test('[S2.37] a shared listing shows its title, price and picture before any script', async () => {
  const { answer, html, data, meta, title } = await page(`/listings/${listing.id}`)
  expect(answer.status).toBe(200)
  expect(title).toContain('CFA')
  expect(meta).toMatchObject({
    'og:title': title,
    'og:type': 'product',
    'og:url': `http://yaar.test/listings/${listing.id}`,
    'twitter:card': 'summary_large_image',
  })
  const image = meta['og:image'] ?? ''
  expect(image).toMatch(/^http:\/\/yaar\.test\/media\/images\/[0-9a-f]+\/640\.jpg$/)
  expect(
    (await server.app.request(image.replace('http://yaar.test', ''))).headers.get('content-type'),
  ).toBe('image/jpeg')
  expect(data[0]).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'Product',
    offers: { priceCurrency: 'XOF', availability: 'https://schema.org/InStock' },
  })
  expect(html).toContain('<link rel="modulepreload" crossorigin href="/assets/part-12345678.js">')
  // The styles are inlined at the end, as nothing is rendered; the policy allows only their exact
  // hash.
  expect(html).toContain('<link rel="stylesheet" disabled href="/assets/Listing-12345678.css">')
  expect(html).toMatch(/<div id="root"><\/div><style>\.gallery\{color:red\}<\/style><script/)
  expect(html).not.toContain('rel="expect"')
  expect(answer.headers.get('content-security-policy')).toContain(
    `style-src 'self' 'sha256-${createHash('sha256').update('.gallery{color:red}').digest('base64')}';`,
  )
})

test('[S2.37] a rendered page has its own styles before it and all styles after it', async () => {
  const pages = pageRoutes(
    web,
    'http://yaar.test',
    async (path) => server.call('GET', path),
    () => Promise.resolve({ html: '<p class="gallery">', from }),
  )
  const answer = await pages.request(`http://yaar.test/listings/${listing.id}`)
  const html = await answer.text()
  const places = [
    '<link rel="expect" href="#viewport-end" blocking="render">',
    '<style>.gallery{color:red}</style>',
    '<p class="gallery">',
    '<i id="viewport-end" hidden></i>',
  ].map((text) => html.indexOf(text))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(Math.min(...places)).toBeGreaterThan(0)
  expect(html.lastIndexOf('<style>.gallery{color:red}</style>')).toBeGreaterThan(
    Math.max(...places),
  )
})

test('[S2.36] a rendered page is painted once its first viewport, marked by the screen, has arrived', async () => {
  const rendered = '<article id="viewport-end"></article><article></article>'
  const pages = pageRoutes(
    web,
    'http://yaar.test',
    async (path) => server.call('GET', path),
    () => Promise.resolve({ html: rendered, from }),
  )
  const html = await (await pages.request('http://yaar.test/listings')).text()
  expect(html).toContain('<link rel="expect" href="#viewport-end" blocking="render">')
  expect(html).toContain(`${rendered}</div><script`)
})

test.each([429, 503])(
  '[S2.37] [S2.09] a failed lookup (%i) of a listing or shop is no 404',
  async (refused) => {
    const pages = pageRoutes(
      web,
      'http://yaar.test',
      () => Promise.resolve(new Response('{}', { status: refused })),
      null,
    )
    for (const path of [`/listings/${listing.id}`, '/shop/vendeur']) {
      const answer = await pages.request(`http://yaar.test${path}`)
      const html = await answer.text()
      expect([answer.status, html.includes('introuvable'), html.includes('noindex')]).toEqual([
        503,
        false,
        false,
      ])
    }
    const gone = await page('/listings/019f1c0d-9c49-7cfe-b5f1-000000000000')
    expect([gone.answer.status, gone.meta['robots']]).toEqual([404, 'noindex'])
  },
)

test('[S2.36] a list names its category and its listings; a search is noindex', async () => {
  const { data, meta, title } = await page('/listings?category=motos')
  expect(title).toContain('Motos')
  expect(meta['robots']).toBeUndefined()
  expect(JSON.stringify(data)).toContain('/listings/')
  const found = await page('/listings?search=%3Cscript%3Ealert(1)%3C%2Fscript%3E')
  expect(found.meta['robots']).toBe('noindex')
  expect(found.html).not.toContain('<script>alert')
})

test('[S2.39] a shop shows its name and what it offers', async () => {
  const { answer, data, title } = await page(`/shop/${listing.seller.slug ?? ''}`)
  expect(answer.status).toBe(200)
  expect(title).toContain('Yaar')
  expect(data[0]).toMatchObject({ '@type': 'Store' })
})

test('[S2.33] the start page uses the reader’s language', async () => {
  expect((await page('/')).title).toContain('Petites annonces')
  const english = await page('/', { 'Accept-Language': 'en-GB,en;q=0.9' })
  expect(english.title).toContain('Buy and sell')
  expect(english.html).toContain('<html lang="en"')
  expect(english.answer.headers.get('vary')).toContain('Accept-Language')
})

test.for([
  '/listings/unknown',
  '/listings/019f1c0d-0000-7000-8000-000000000000',
  '/listings/%00',
  '/shop/nobody-has-this-name',
])('[S2.48] %s is answered with 404, and is no place for search engines', async (path) => {
  const { answer, meta, title } = await page(path)
  expect([answer.status, meta['robots']]).toEqual([404, 'noindex'])
  expect(title).toContain(path.startsWith('/shop') ? 'Boutique introuvable' : 'Annonce introuvable')
})

test('[S6.04] pages are revalidated each time, with a 304, and carry the policy', async () => {
  const { answer } = await page('/listings')
  expect(answer.headers.get('cache-control')).toBe('no-cache')
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
  const again = await server.app.request('/listings', {
    headers: { 'If-None-Match': answer.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  expect(
    (await server.app.request('/listings', { headers: { 'Accept-Encoding': 'br' } })).headers.get(
      'content-encoding',
    ),
  ).toBe('br')
})

test('[S3.01] user texts are escaped: they add no markup to a page', async () => {
  const { database } = server.services
  const nasty = '</title></script><script>alert(1)</script>"><img src=x onerror=alert(2)>'
  await database.tx((tx) =>
    tx
      .updateTable('listing')
      .set({ title: nasty.slice(0, 100), description: nasty, updated_at: new Date() })
      .where('id', '=', listing.id)
      .execute(),
  )
  const { html } = await page(`/listings/${listing.id}`)
  expect(html).not.toContain('<script>alert')
  expect(html).not.toContain('<img src=x')
  expect(html.match(/<\/script>/g)?.length).toBe(html.match(/<script /g)?.length)
})

test('[S1.06] the sitemap lists every public listing', async () => {
  const robots = await (await server.app.request('/robots.txt')).text()
  expect(robots).toContain('Sitemap: http://yaar.test/sitemap.xml')
  const index = await (await server.app.request('/sitemap.xml')).text()
  const maps = [...index.matchAll(/<loc>http:\/\/yaar\.test(.*?)<\/loc>/g)].map(
    ([, path = '']) => path,
  )
  expect(maps).toEqual(['/sitemap-pages.xml', '/sitemap-listings-1.xml'])
  const listings = await (await server.app.request(maps[1] ?? '')).text()
  const { count } = v.parse(
    v.object({ count: v.number() }),
    await (await server.call('GET', 'listings/')).json(),
  )
  expect(listings.match(/<url>/g)?.length).toBe(count)
  expect((await server.app.request('/sitemap-listings-2.xml')).status).toBe(404)
  expect((await server.app.request('/sitemap-listings-0.xml')).status).toBe(404)
})

test('[A10] sitemaps are generated one at a time, once an hour, under any load', async () => {
  let now = new Date()
  const own = await testServer([], {}, { clock: () => now })
  const seller = await own.person()
  await addListing(own.services.database.db, seller.id)
  const maps = sitemapRoutes(own.services)
  const statements = vi.spyOn(own.services.database.db, 'getExecutor')
  const paths = [
    '/sitemap.xml',
    '/sitemap-listings-1.xml',
    '/sitemap-listings-2.xml',
    '/sitemap-listings-99999.xml',
  ]
  const ask = () =>
    Promise.all(Array.from({ length: 200 }, async (_, n) => maps.request(paths[n % 4] ?? '')))
  expect((await ask()).map(({ status }) => status)).toEqual(
    Array.from({ length: 200 }, (_, n) => (n % 4 < 2 ? 200 : 404)),
  )
  const once = statements.mock.calls.length
  await ask()
  expect([once < 10, statements.mock.calls.length]).toEqual([true, once])
  now = new Date(now.getTime() + 3_601_000)
  await ask()
  expect(statements.mock.calls.length).toBeGreaterThan(once)
  statements.mockRestore()
  await own.close()
})

test.each([
  [{}, 'all of it'],
  [{ 'save-data': 'on' }, 'without photos'],
  [{ cookie: 'low_data=1' }, 'without photos'],
  [{ cookie: 'other=low_data=1; low_data=0', 'save-data': 'on' }, 'all of it'],
])(
  '[S2.36] who asks with %j gets %s: a choice made in the app wins over the browser’s data saver',
  async (headers, rendered) => {
    const prerender: Prerender = (_url, { saveData }) =>
      Promise.resolve({
        html: saveData ? 'without photos' : 'all of it',
        from: { ...from, saveData },
      })
    const pages = pageRoutes(
      web,
      'http://yaar.test',
      async (path) => server.call('GET', path),
      prerender,
    )
    const answer = await pages.request('http://yaar.test/listings', { headers })
    const html = await answer.text()
    expect(html).toContain(`>${rendered}</div>`)
    expect(html).toContain(`"saveData":${rendered === 'without photos'}`)
    expect(answer.headers.get('vary')).toMatch(/Save-Data, Cookie/)
  },
)
