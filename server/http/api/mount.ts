import { Hono, type Context } from 'hono'
import type { Services, Route } from '../../route/index.ts'
import { corsFor } from './cors.ts'
import { arrive, serve } from './serve.ts'

/** Empty in tests. */
export interface Bindings {
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } }
  readonly inner?: boolean
}
export type Env = { Bindings: Bindings }

interface ApiServices extends Services {
  readonly metrics: {
    request(method: string, path: string, status: number, seconds: number): void
  }
}

/** Each path once, with or without trailing slash, so that a 405 lists all its methods. */
export function mountApi(app: Hono<Env>, services: ApiServices, routes: readonly Route[]) {
  const { corsOrigins } = services.config
  for (const [path, at] of pathsOf(routes)) {
    const methods = [...at.keys()].flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    )
    const pattern = path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1')
    if (corsOrigins.length > 0) app.use(`/api/${pattern}`, corsFor(corsOrigins, methods))
    app.all(`/api/${pattern}`, (c) => {
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      return noted(services, c, path, () =>
        serve(
          arrive(services, c.req.raw, connectionOf(c), c.env?.inner),
          at.get(method) ?? null,
          c.req.param(),
          methods,
        ),
      )
    })
  }
  if (corsOrigins.length > 0) app.use('/api/*', corsFor(corsOrigins, []))
  app.all('/api/*', (c) =>
    noted(services, c, 'unknown', () =>
      serve(arrive(services, c.req.raw, connectionOf(c)), null, {}, []),
    ),
  )
}

/** Under the pattern of the path: the URL's query may hold private data. */
async function noted(
  { metrics, log }: ApiServices,
  c: Context<Env>,
  path: string,
  answer: () => Promise<Response>,
) {
  const start = performance.now()
  const response = await answer()
  const ms = performance.now() - start
  metrics.request(c.req.method, path, response.status, ms / 1000)
  log.info(
    {
      method: c.req.method,
      path,
      status: response.status,
      ms: Math.round(ms),
      request_id: response.headers.get('x-request-id'),
    },
    'answered',
  )
  return response
}

function pathsOf(routes: readonly Route[]): [string, Map<string, Route>][] {
  const paths = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const at = paths.get(route.call.path) ?? new Map<string, Route>()
    if (at.has(route.call.method))
      throw new Error(`two routes for ${route.call.method} ${route.call.path}`)
    paths.set(route.call.path, at.set(route.call.method, route))
  }
  return [...paths].toSorted(([a], [b]) =>
    a.replaceAll('{', '~') < b.replaceAll('{', '~') ? -1 : 1,
  )
}

export const connectionOf = (c: Context<Env>): string | undefined =>
  c.env?.incoming?.socket.remoteAddress
