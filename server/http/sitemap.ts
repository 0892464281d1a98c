import { Hono } from 'hono'
import { sql } from 'kysely'
import { categories } from '#schema/catalogue'
import type { Services } from '../services.ts'
import { visible } from '../nouns/listing/where.ts'
import { finish } from './tail.ts'

/** A map holds at most 50,000 addresses; ours are smaller, so that one answer is soon made. */
const SIZE = 10_000
const DAY_S = 86_400

/** Where search engines find everything public: an index, the fixed pages, and listings by the thousands, newest first. */
export function sitemapRoutes({ database, clock, publicUrl }: Pick<Services, 'database' | 'clock' | 'publicUrl'>): Hono {
  const routes = new Hono()
  const answer = (request: Request, type: string, text: string) => finish(request, 200, text, new Headers({ 'Content-Type': type, 'Cache-Control': `public, max-age=${DAY_S / 24}` }), 'static')
  const xml = (request: Request, element: string, body: readonly string[]) => answer(request, 'application/xml; charset=utf-8', `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${body.join('\n')}\n</${element}>\n`)

  routes.get('/robots.txt', (c) =>
    answer(c.req.raw, 'text/plain; charset=utf-8', `User-agent: *\nDisallow: /api/\nDisallow: /messages\nDisallow: /outbox\nDisallow: /profile\nDisallow: /settings\nAllow: /api/docs\nAllow: /\nSitemap: ${publicUrl}/sitemap.xml\n`),
  )

  routes.get('/sitemap.xml', async (c) => {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from listing l where ${visible(clock())}`.execute(database.db)
    const maps = Array.from({ length: Math.ceil((rows[0]?.n ?? 0) / SIZE) }, (_, at) => `sitemap-listings-${at + 1}.xml`)
    return xml(c.req.raw, 'sitemapindex', ['sitemap-pages.xml', ...maps].map((name) => `<sitemap><loc>${publicUrl}/${name}</loc></sitemap>`))
  })

  routes.get('/sitemap-pages.xml', (c) => {
    const fixed = ['/', '/listings', '/help', '/terms', '/privacy', '/install', ...categories.map(({ slug }) => `/listings?category=${slug}`)]
    return xml(c.req.raw, 'urlset', fixed.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`))
  })

  routes.get('/:name{sitemap-listings-[1-9][0-9]{0,4}\\.xml}', async (c) => {
    const number = Math.max(1, Number(/\d+/.exec(c.req.param('name'))?.[0]))
    const { rows } = await sql<{ id: string; updated_at: Date }>`
      select l.id, l.updated_at from listing l where ${visible(clock())} order by l.posted_at desc, l.id desc limit ${SIZE} offset ${(number - 1) * SIZE}`.execute(database.db)
    if (rows.length === 0) return c.text('Not found', 404, { 'Cache-Control': 'no-store' })
    return xml(c.req.raw, 'urlset', rows.map((row) => `<url><loc>${publicUrl}/listings/${row.id}</loc><lastmod>${row.updated_at.toISOString()}</lastmod></url>`))
  })
  return routes
}
