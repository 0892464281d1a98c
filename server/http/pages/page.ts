import { hash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { APP_NAME } from '#schema/app'
import { resolveCategory } from '#schema/catalogue'
import { filtersOf, readSearch } from '#schema/listAddress'
import { classesIn } from '#schema/markup'
import { jsonOf, parsed } from '#schema/parsed'
import { answersOf, RENDER_BLOCKING_LINK, rootWith, scriptText } from '#schema/viewport'
import { listingDetail } from '#schema/wire/listing'
import type { Language } from '#schema/wire/shapes'
import { shop } from '#schema/wire/shop'
import type { Prerender, Prerendered } from './prerender.ts'
import { type Asked as Question, firstAnswers } from './firstAnswers.ts'
import {
  browseHead,
  type Head,
  homeHead,
  laterHead,
  listingHead,
  missingHead,
  pageOfCards,
  shopHead,
} from './head.ts'
import { languageOf } from '../../route/index.ts'
import { escaped } from './escaped.ts'
import { pageHeaders, policyWith } from './policy.ts'
import type { PageLimit } from './page-limit.ts'
import { NOTES, textOf, type WebApp } from './static.ts'
import { earlyPart } from './styles.ts'
import { finish } from '../api/response.ts'

/** A GET of the API for the client of `page`; `path` is relative to `/api/`. */
export type AskApi = (path: string, page: Context) => Promise<Response>

type Asked = Readonly<{
  url: URL
  language: Language
  root: string
  ask: <S extends v.GenericSchema>(
    path: string,
    shape: S,
    question: Question,
  ) => Promise<v.InferOutput<S> | null>
}>

type Found = Readonly<{
  head: Head
  status: 200 | 404
  /** The screen's source file, to preload its chunks. */
  screen: string | null
}>

const CARDS = 20

const LATER = '<!--styles-->'

/** With metadata, structured data and the rendered screen. */
export function pageRoutes(
  web: WebApp,
  root: string,
  askApi: AskApi,
  prerender: Prerender | null,
  limit: PageLimit = async () => null,
): Hono {
  const routes = new Hono()
  const template = textOf(web, '/index.html')
  const chunks = chunksOf(web)
  const sheets = sheetsOf(web)
  if (template === undefined) return routes
  const page = (find: (asked: Asked, id: string) => Promise<Found>) => async (c: Context) => {
    const request = c.req.raw
    const url = new URL(request.url)
    const language = languageOf(request.headers.get('Accept-Language'))
    const bodies: (readonly [Question, unknown])[] = []
    const wait = await limit(c)
    let isUnavailable = wait !== null
    const asked: Asked = {
      url,
      language,
      root,
      ask: async (path, shape, question) => {
        // the app is still served: others may share the address with a flood
        if (wait !== null) return null
        const answer = await askApi(path, c)
        isUnavailable ||= answer.status === 429 || answer.status >= 500
        const body: unknown = answer.ok ? await answer.json() : null
        const read = parsed(shape, body)
        if (read !== null) bodies.push([question, body])
        return read
      },
    }
    const page = await find(asked, c.req.param('id') ?? '')
    // Not a 404: search engines would drop the page.
    const { head, status, screen } =
      page.status === 404 && isUnavailable
        ? { ...page, head: laterHead(language, url.pathname), status: 503 }
        : page
    const answers = firstAnswers(bodies)
    const saveData = savesData(request.headers)
    const prerendered =
      prerender === null || Object.keys(answers).length === 0
        ? null
        : await prerender(url.pathname + url.search, { answers, saveData })
    const { text, hashes } = withStyles(
      fill(template, head, asked, screen === null ? [] : chunks(screen), prerendered),
      sheets,
    )
    const headers = new Headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Language': language,
      ...pageHeaders,
      'Content-Security-Policy': policyWith(hashes),
    })
    if (wait !== null) headers.set('Retry-After', `${wait}`)
    const answer = await finish(
      request,
      wait === null ? status : 429,
      text,
      headers,
      wait === null ? 'catalogue' : 'none',
    )
    answer.headers.append('Vary', 'Save-Data, Cookie')
    return answer
  }
  routes.get('/', page(findHome))
  routes.get('/listings', page(findBrowse))
  routes.get('/listings/:id', page(findListing))
  routes.get('/shop/:id', page(findShop))
  return routes
}

function savesData(headers: Headers) {
  const chosen = /(?:^|;\s*)low_data=([01])(?:;|$)/.exec(headers.get('Cookie') ?? '')?.[1]
  return chosen === undefined ? headers.get('Save-Data') === 'on' : chosen === '1'
}

async function findHome({ ask, language, root }: Asked) {
  const recent = await ask('recommendations/?type=recent&page_size=12', pageOfCards, {
    name: 'listings.recommended',
    params: { type: 'recent' },
  })
  return found(homeHead(recent?.results ?? [], language, root))
}

async function findBrowse({ ask, url, language, root }: Asked) {
  const query = new URLSearchParams(url.search)
  for (const name of ['page', 'page_size', 'changed_since']) query.delete(name)
  query.set('page_size', `${CARDS}`)
  const list = await ask(`listings/?${query.toString()}`, pageOfCards, {
    name: 'listings.browse',
    params: { filters: filtersOf(readSearch(url.searchParams), resolveCategory) },
  })
  return found(browseHead(list?.results ?? [], url.searchParams, language, root))
}

async function findListing({ ask, url, language, root }: Asked, id: string): Promise<Found> {
  const listing = await ask(`listings/${encodeURIComponent(id)}/`, listingDetail, {
    name: 'listing.detail',
    params: { id },
  })
  const screen = 'src/features/listing/ListingScreen.tsx'
  return listing
    ? found(listingHead(listing, language, root), screen)
    : { head: missingHead('listing', language, url.pathname), status: 404, screen }
}

async function findShop({ ask, url, language, root }: Asked, slug: string): Promise<Found> {
  const path = `shops/${encodeURIComponent(slug)}/`
  const [seller, cards] = await Promise.all([
    ask(path, shop, { name: 'shop.detail', params: { slug } }),
    ask(`${path}listings/?page_size=${CARDS}`, pageOfCards, {
      name: 'shop.listings',
      params: { slug, filters: {} },
    }),
  ])
  return seller
    ? found(
        shopHead(seller, cards?.results ?? [], language, root),
        'src/features/shop/ShopScreen.tsx',
      )
    : { head: missingHead('shop', language, url.pathname), status: 404, screen: null }
}

const found = (head: Head, screen: string | null = null): Found => ({ head, status: 200, screen })

function fill(
  template: string,
  head: Head,
  { language, root }: Asked,
  preloads: readonly string[],
  prerendered: Prerendered | null,
) {
  const meta = (name: string, content: string, kind = 'property') =>
    `<meta ${kind}="${name}" content="${escaped(content)}">`
  const { image } = head
  const tags = [
    `<link rel="canonical" href="${escaped(root + head.canonical)}">`,
    ...(prerendered === null ? [] : [RENDER_BLOCKING_LINK]),
    ...(head.hidden ? [meta('robots', 'noindex', 'name')] : []),
    meta('og:site_name', APP_NAME),
    meta('og:type', head.type),
    meta('og:title', head.title),
    meta('og:description', head.description),
    meta('og:url', root + head.canonical),
    meta('og:locale', language === 'en' ? 'en_GB' : 'fr_FR'),
    ...(image === null
      ? []
      : [
          meta('og:image', root + image.path),
          meta('og:image:width', `${image.width}`),
          meta('og:image:height', `${image.height}`),
        ]),
    meta('twitter:card', image && image.width > 512 ? 'summary_large_image' : 'summary', 'name'),
    ...preloads
      .filter((path) => !template.includes(`"${path}"`))
      .map((path) =>
        path.endsWith('.css')
          ? `<link rel="stylesheet" href="${path}">`
          : `<link rel="modulepreload" crossorigin href="${path}">`,
      ),
  ]
  // After the visible content: the app's script runs once the page has loaded.
  const data = [
    ...head.data.map(
      (one) =>
        `<script type="application/ld+json">${scriptText({ '@context': 'https://schema.org', ...one })}</script>`,
    ),
    ...(prerendered === null ? [] : [answersOf(prerendered.from)]),
  ]
  return (
    template
      // Rendered pages are in French, the app's default.
      .replace(/<html lang="[^"]*"/, () => `<html lang="${prerendered === null ? language : 'fr'}"`)
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(head.title)}</title>`)
      .replace(/<meta name="description" content="[^"]*"\s*\/?>/, () =>
        meta('description', head.description, 'name'),
      )
      .replace('</head>', () => `${tags.join('\n    ')}\n  </head>`)
      .replace('</body>', () => `${LATER}${data.join('')}</body>`)
      .replace('<div id="root"></div>', (empty) =>
        prerendered === null ? empty : rootWith(prerendered.html, 'server'),
      )
  )
}

interface Sheet {
  readonly all: string
  readonly early: ReturnType<typeof earlyPart>
}

function sheetsOf(web: WebApp) {
  const paths = [...web.keys()].filter((path) => path.endsWith('.css'))
  return new Map(
    paths.map((path) => {
      const all = textOf(web, path) ?? ''
      return [path, { all, early: earlyPart(all) }]
    }),
  )
}

/**
 * Inlines the style sheets, each of which would cost a round trip: rules of this page first, the
 * rest last. Their links stay, disabled: Vite loads no sheet that has a link.
 */
function withStyles(
  html: string,
  sheets: ReadonlyMap<string, Sheet>,
): { text: string; hashes: readonly string[] } {
  const hashes: string[] = []
  const styled = (style: string) => {
    if (style === '') return ''
    hashes.push(hash('sha256', style, 'base64'))
    return `<style>${style}</style>`
  }
  const classes = classesIn(html)
  const whole: string[] = []
  const text = html.replaceAll(
    /<link rel="stylesheet"([^>]*) href="([^"]+)">/g,
    (link, rest: string, path: string) => {
      const sheet = sheets.get(path)
      if (sheet === undefined) return link
      whole.push(sheet.all)
      return `${styled(sheet.early(classes))}<link rel="stylesheet" disabled${rest} href="${path}">`
    },
  )
  return { text: text.replace(LATER, () => whole.map(styled).join('')), hashes }
}

const manifest = v.record(
  v.string(),
  v.object({
    file: v.string(),
    imports: v.optional(v.array(v.string()), []),
    css: v.optional(v.array(v.string()), []),
  }),
)

function chunksOf(web: WebApp): (screen: string) => string[] {
  const chunks = parsed(manifest, jsonOf(textOf(web, NOTES) ?? '')) ?? {}
  return (screen) => {
    const found = new Set<string>()
    const visit = (name: string) => {
      const chunk = chunks[name]
      if (!chunk || found.has(`/${chunk.file}`)) return
      found.add(`/${chunk.file}`)
      for (const style of chunk.css) found.add(`/${style}`)
      for (const next of chunk.imports) visit(next)
    }
    visit(screen)
    return [...found]
  }
}
