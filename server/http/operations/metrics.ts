import { timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../../db/open.ts'
import type { Config } from '../../config.ts'
import { hashOf } from '../../route/index.ts'
import { connectionOf, type Env } from '../api/mount.ts'

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics(database: Database) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request of the API',
    labelNames: ['method', 'path', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  function gauge(
    name: string,
    help: string,
    collect: (gauge: Gauge) => void | Promise<void>,
    labelNames: string[] = [],
  ) {
    registry.removeSingleMetric(name)
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames,
        registers: [],
        collect() {
          return collect(this)
        },
      }),
    )
  }
  gauge(
    'jobs_waiting',
    'Rows of the job queue',
    async (waiting) => {
      waiting.reset()
      // The other metrics work without the database.
      const rows = await database.db
        .selectFrom('job')
        .select((is) => ['kind', is.fn.countAll<number>().as('n')])
        .groupBy('kind')
        .execute()
        .catch(() => [])
      for (const { kind, n } of rows) waiting.set({ kind }, n)
    },
    ['kind'],
  )
  gauge(
    'database_connections',
    'Connections to PostgreSQL by what they do, and callers that wait for one',
    (connections) => {
      const pool = database.pool()
      if (pool === null) return
      connections.set({ state: 'busy' }, pool.open - pool.idle)
      connections.set({ state: 'idle' }, pool.idle)
      connections.set({ state: 'waiting' }, pool.waiting)
    },
    ['state'],
  )
  return {
    registry,
    /** `path` is the pattern, not the URL. */
    request(method: string, path: string, status: number, seconds: number) {
      requests.observe({ method, path, status: `${status}` }, seconds)
    },
    gauge(name: string, help: string, read: () => number) {
      gauge(name, help, (one) => one.set(read()))
    },
  }
}

export function mountMetrics(
  app: Hono<Env>,
  { metrics: { registry }, config }: { metrics: Metrics; config: Config },
) {
  app.get('/metrics', async (c) => {
    if (!mayReadMetrics(c.req.raw, connectionOf(c), config)) return c.notFound()
    return c.body(await registry.metrics(), 200, {
      'Content-Type': registry.contentType,
      'Cache-Control': 'no-store',
    })
  })
}

/**
 * For the holder of METRICS_TOKEN, or without one a direct local connection [API 1.1, D122]; else
 * 404.
 */
function mayReadMetrics(
  request: Request,
  connection: string | undefined,
  { metricsToken }: Config,
) {
  if (metricsToken !== null)
    return timingSafeEqual(
      hashOf(request.headers.get('authorization') ?? ''),
      hashOf(`Bearer ${metricsToken}`),
    )
  return (
    !request.headers.has('x-forwarded-for') && /^(127\.|::1$|::ffff:127\.)/.test(connection ?? '')
  )
}
