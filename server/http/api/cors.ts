import type { Context, MiddlewareHandler } from 'hono'
import { except } from 'hono/combine'
import { cors } from 'hono/cors'

const SHARED = {
  allowHeaders: [
    'Authorization',
    'Content-Type',
    'Accept-Language',
    'Idempotency-Key',
    'If-None-Match',
    'X-Request-Id',
    'X-Session-Id',
  ],
  exposeHeaders: [
    'ETag',
    'Retry-After',
    'X-Request-Id',
    'Idempotent-Replayed',
    'Date',
    'Content-Language',
  ],
  maxAge: 86_400,
}

/** [API 1.1] By itself hono/cors would answer every OPTIONS, also of other origins. */
export function corsFor(origins: readonly string[], methods: string[]): MiddlewareHandler {
  const isOther = ({ req }: Context) =>
    !origins.includes(req.header('Origin') ?? '') ||
    (req.method === 'OPTIONS' && req.header('Access-Control-Request-Method') === undefined)
  return except(isOther, cors({ ...SHARED, origin: [...origins], allowMethods: methods }))
}
