import { Hono } from 'hono'
import type { HttpBindings } from '@hono/node-server'
import type { Services } from '../services.ts'
import { preflight } from './cors.ts'
import type { Route } from './handle.ts'
import { arrive, serve } from './serve.ts'

type Env = { Bindings: Partial<HttpBindings> }

/** The API under `/api/`: each path once, with or without its trailing slash, its methods told apart inside (405 knows them all). */
export function mountApi(app: Hono<Env>, services: Services, routes: readonly Route[]): void {
  for (const [path, at] of pathsOf(routes)) {
    const methods = [...at.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    // matched without regard to a trailing slash (`strict: false` wants patterns without one)
    app.all(`/api/${path.replace(/\/$/, '').replaceAll(/\{(\w+)\}/g, ':$1')}`, (c) => {
      const early = preflight(c.req.raw, services.config.corsOrigins, methods)
      if (early !== null) return early
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      return serve(arrive(services, c.req.raw, addressIn(c.env)), at.get(method) ?? null, c.req.param(), methods)
    })
  }
  app.all('/api/*', (c) => serve(arrive(services, c.req.raw, addressIn(c.env)), null, {}, []))
}

/** Paths in the order of matching: fixed words before ids. */
function pathsOf(routes: readonly Route[]): [string, Map<string, Route>][] {
  const paths = new Map<string, Map<string, Route>>()
  for (const route of routes) {
    const at = paths.get(route.call.path) ?? new Map<string, Route>()
    if (at.has(route.call.method)) throw new Error(`two routes for ${route.call.method} ${route.call.path}`)
    paths.set(route.call.path, at.set(route.call.method, route))
  }
  return [...paths].toSorted(([a], [b]) => (a.replaceAll('{', '~') < b.replaceAll('{', '~') ? -1 : 1))
}

const addressIn = (env: Partial<HttpBindings> | undefined): string | undefined => env?.incoming?.socket.remoteAddress
