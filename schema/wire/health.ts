import * as v from 'valibot'
import { call } from './call.ts'

/** [API 1.1]: 204 and nothing else means that the network really reaches us. */
export const ping = call({
  name: 'ping',
  method: 'GET',
  path: 'ping/',
  access: 'open',
  cache: 'counted',
  query: null,
  body: null,
  answer: null,
})

const probe = { method: 'GET', access: 'open', cache: 'counted', query: null, body: null } as const
const state = v.object({
  status: v.picklist(['ok', 'down']),
  version: v.string(),
  database: v.picklist(['pglite', 'postgresql']),
})

export const health = call({ name: 'health', path: 'health/', ...probe, answer: state })
/** The process answers, whatever became of its database: a supervisor that ends it when this fails mends nothing else. */
export const live = call({
  name: 'health.live',
  path: 'health/live/',
  ...probe,
  answer: v.object({ status: v.literal('ok'), version: v.string() }),
})
/** 200 while it can serve calls: where a balancer sends them. */
export const ready = call({ name: 'health.ready', path: 'health/ready/', ...probe, answer: state })
