import { type Context, Hono } from 'hono'
import { sql } from 'kysely'
import { categories } from '#schema/catalogue'
import { AnswerCache } from '../../answer-cache.ts'
import type { Services } from '../../route/index.ts'
import { semaphore } from '../../files/semaphore.ts'
import { visible } from '../../nouns/listing/search/where.ts'
import { finish } from '../api/response.ts'

const SIZE = 10_000
const DAY_S = 86_400
const FRESH_MS = 3_600_000
/** Files of about 1.3 MB each. */
const KEPT = 12
const WAITING = 20
const COME_BACK_S = 30

/** One file is made at a time: one connection at most. null: too many wait. */
function openCache(clock: () => Date) {
  const cache = new AnswerCache<object, Promise<string>>(FRESH_MS, KEPT)
  const limited = semaphore(1)
  return async (name: string, make: () => Promise<string>) => {
    if (limited.size() >= WAITING && cache.get(cache, name, clock()) === undefined) return null
    return cache.shared(cache, name, clock(), () => limited(make))
  }
}

export function sitemapRoutes({
  database,
  clock,
  publicUrl,
}: Pick<Services, 'database' | 'clock' | 'publicUrl'>): Hono {
  const routes = new Hono()
  const answer = (c: Context, type: string, text: string) =>
    finish(
      c.req.raw,
      200,
      text,
      new Headers({ 'Content-Type': type, 'Cache-Control': `public, max-age=${DAY_S / 24}` }),
      'static',
    )
  const document = (element: string, body: readonly string[]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${body.join('\n')}\n</${element}>\n`
  const xml = (c: Context, text: string) => answer(c, 'application/xml; charset=utf-8', text)
  const keep = openCache(clock)
  const busy = (c: Context) =>
    c.text('Busy', 503, { 'Cache-Control': 'no-store', 'Retry-After': `${COME_BACK_S}` })

  /** The last id before each file and of all: an offset would count from the start. */
  async function keysOfMaps() {
    const keys = ['']
    for (let full = true; full;) {
      const { rows } = await sql<{ last: string | null; n: number }>`
        select max(id) as last, count(*)::integer as n from (
          select l.id from listing l where l.id > ${keys.at(-1) ?? ''} and ${visible(clock())}
          order by l.id limit ${SIZE}) as part`.execute(database.db)
      const { last, n } = rows[0] ?? { last: null, n: 0 }
      if (last !== null) keys.push(last)
      full = n === SIZE
    }
    return keys.join()
  }

  routes.get('/robots.txt', (c) =>
    answer(
      c,
      'text/plain; charset=utf-8',
      'User-agent: *\nDisallow: /api/\nDisallow: /messages\nDisallow: /outbox\nDisallow: /profile\n' +
        `Disallow: /settings\nAllow: /api/docs\nAllow: /\nSitemap: ${publicUrl}/sitemap.xml\n`,
    ),
  )

  routes.get('/sitemap.xml', async (c) => {
    const keys = await keep('keys', keysOfMaps)
    if (keys === null) return busy(c)
    const maps = keys
      .split(',')
      .slice(1)
      .map((_, at) => `sitemap-listings-${at + 1}.xml`)
    const body = ['sitemap-pages.xml', ...maps].map(
      (name) => `<sitemap><loc>${publicUrl}/${name}</loc></sitemap>`,
    )
    return xml(c, document('sitemapindex', body))
  })

  routes.get('/sitemap-pages.xml', (c) => {
    const fixed = [
      '/',
      '/listings',
      '/help',
      '/terms',
      '/privacy',
      '/install',
      ...categories.map(({ slug }) => `/listings?category=${slug}`),
    ]
    const body = fixed.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`)
    return xml(c, document('urlset', body))
  })

  routes.get('/:name{sitemap-listings-[1-9][0-9]{0,4}\\.xml}', async (c) => {
    const keys = await keep('keys', keysOfMaps)
    if (keys === null) return busy(c)
    const number = Number(/\d+/.exec(c.req.param('name'))?.[0])
    const [after, last] = keys.split(',').slice(number - 1, number + 1)
    if (after === undefined || last === undefined)
      return c.text('Not found', 404, { 'Cache-Control': 'no-store' })
    const text = await keep(`map ${number}`, async () => {
      const { rows } = await sql<{ id: string; updated_at: Date }>`
        select l.id, l.updated_at from listing l where l.id > ${after} and ${visible(clock())}
        order by l.id limit ${SIZE}`.execute(database.db)
      const body = rows.map(
        ({ id, updated_at: at }) =>
          `<url><loc>${publicUrl}/listings/${id}</loc><lastmod>${at.toISOString()}</lastmod></url>`,
      )
      return document('urlset', body)
    })
    return text === null ? busy(c) : xml(c, text)
  })
  return routes
}
