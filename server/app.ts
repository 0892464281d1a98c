import { Hono } from 'hono'
import { demoVariants } from './demo/variants.ts'
import { mediaRoutes } from './files/routes.ts'
import { descriptionRoute } from './http/api/openapi.ts'
import type { Route } from './route/routes.ts'
import { healthRoutes } from './http/operations/health.ts'
import { mountApi, type Bindings } from './http/api/mount.ts'
import { mountMetrics } from './http/operations/metrics.ts'
import { pageLimit } from './http/pages/page-limit.ts'
import { pageRoutes, type AskApi } from './http/pages/page.ts'
import { sitemapRoutes } from './http/pages/sitemap.ts'
import { webRoutes } from './http/pages/static.ts'
import { viewerRoutes } from './http/pages/viewer.ts'
import { accountRoutes } from './nouns/account/routes.ts'
import { catalogueRoutes } from './nouns/catalogue/routes.ts'
import { conversationRoutes } from './nouns/conversation/routes.ts'
import { favouriteRoutes } from './nouns/favourite/routes.ts'
import { listingReads } from './nouns/listing/read/routes.ts'
import { listingWrites } from './nouns/listing/write/routes.ts'
import { messageRoutes } from './nouns/message/routes.ts'
import { notificationRoutes } from './nouns/notification/routes.ts'
import { pushRoutes } from './nouns/push/routes.ts'
import { rumRoutes } from './nouns/rum/routes.ts'
import { blockRoutes } from './nouns/block/routes.ts'
import { followRoutes } from './nouns/follow/routes.ts'
import { reportRoutes } from './nouns/report/routes.ts'
import { reviewRoutes } from './nouns/review/routes.ts'
import { searchRoutes } from './nouns/search/routes.ts'
import { shopRoutes } from './nouns/shop/routes.ts'
import type { ServerServices } from './http/services.ts'

export const routes: readonly Route[] = [
  ...healthRoutes,
  ...accountRoutes,
  ...catalogueRoutes,
  ...listingReads,
  ...listingWrites,
  ...shopRoutes,
  ...favouriteRoutes,
  ...searchRoutes,
  ...reviewRoutes,
  ...reportRoutes,
  ...followRoutes,
  ...blockRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...notificationRoutes,
  ...pushRoutes,
  ...rumRoutes,
]

export type App = Hono<{ Bindings: Bindings }>

export function createApp(services: ServerServices, served: readonly Route[] = routes): App {
  const app: App = new Hono({ strict: false })
  const described = [...served, descriptionRoute(served)]
  // For pages and images; the API handles its own errors.
  app.onError((error, c) => {
    services.log.error({ err: error, path: c.req.path }, 'page failed')
    return c.text('Service unavailable', 503, { 'Cache-Control': 'no-store', 'Retry-After': '5' })
  })
  app.route('/', viewerRoutes())
  mountMetrics(app, services)
  mountApi(app, services, described)
  app.route('/', mediaRoutes(services.files, demoVariants(services.database, services.files)))
  app.route('/', sitemapRoutes(services))
  const askApi: AskApi = async (path, page) =>
    app.request(
      `/api/${path}`,
      { headers: forwarded(page.req.raw.headers) },
      { ...page.env, inner: true },
    )
  app.route(
    '/',
    pageRoutes(services.web, services.publicUrl, askApi, services.prerender, pageLimit(services)),
  )
  app.route('/', webRoutes(services.web, services.deltas))
  return app
}

/** No authorization. */
function forwarded(headers: Headers) {
  const kept = new Headers()
  for (const name of ['accept-language', 'user-agent', 'x-forwarded-for']) {
    const value = headers.get(name)
    if (value !== null) kept.set(name, value)
  }
  return kept
}
