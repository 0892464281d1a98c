import * as v from 'valibot'
import { call } from './call.ts'

/** [API 1.1]: only a 204 shows that requests reach our server. */
export const ping = call('ping', 'GET', 'ping/', {
  access: 'open',
  cache: 'counted',
})

const probe = { access: 'open', cache: 'counted' } as const
const state = v.object({
  status: v.picklist(['ok', 'down']),
  version: v.string(),
  database: v.picklist(['pglite', 'postgresql']),
})

export const health = call('health', 'GET', 'health/', { ...probe, answer: state })
/** Answers even without the database: a restart by a supervisor repairs only a dead process. */
export const live = call('health.live', 'GET', 'health/live/', {
  ...probe,
  answer: v.object({ status: v.literal('ok'), version: v.string() }),
})
/** 200 while it can serve requests; for load balancers. */
export const ready = call('health.ready', 'GET', 'health/ready/', { ...probe, answer: state })

/** [API 15]: the OpenAPI description. */
export const description = call('schema', 'GET', 'schema/', {
  access: 'open',
  cache: 'static',
  answer: v.record(v.string(), v.unknown()),
})

export const rumType = v.picklist([
  'web-vital',
  'error',
  'unhandledrejection',
  'react-error',
  'http',
])

/** [S7.49, API 15]: one report or up to 20; always 204. */
export const rum = call('rum.report', 'POST', 'rum/', {
  access: 'open',
  keyed: false,
  form: 'text',
  bodyMax: 16 * 1024,
  body: v.unknown(),
})
