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
  const { config, log, metrics } = services

  /** Noted under the pattern `path`: the URL's query may hold private data. */
  async function answer(
    c: Context<Env>,
    path: string,
    route: Route | null,
    methods: readonly string[],
  ) {
    const start = performance.now()
    const arrival = arrive(services, c.req.raw, connectionOf(c), c.env?.inner)
    const response = await serve(arrival, route, c.req.param(), methods)
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

  const share = (pattern: string, methods: string[]) => {
    if (config.corsOrigins.length > 0)
      app.use(`/api/${pattern}`, corsFor(config.corsOrigins, methods))
  }
  const paths = [...Map.groupBy(routes, ({ call }) => call.path)]
  // `{id}` after the names it would match
  for (const [path, at] of paths.toSorted(([a], [b]) =>
    a.replaceAll('{', '~') < b.replaceAll('{', '~') ? -1 : 1,
  )) {
    const methods = at.flatMap(({ call: { method } }) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    )
    if (new Set(methods).size < methods.length)
      throw new Error(`two routes for one call of ${path}`)
    const pattern = path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1')
    share(pattern, methods)
    app.all(`/api/${pattern}`, (c) => {
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      return answer(c, path, at.find(({ call }) => call.method === method) ?? null, methods)
    })
  }
  share('*', [])
  app.all('/api/*', (c) => answer(c, 'unknown', null, []))
}

export const connectionOf = (c: Context<Env>) => c.env?.incoming?.socket.remoteAddress
