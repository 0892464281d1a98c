import * as v from 'valibot'
import { call } from './call.ts'

/** API.md 1.1: 204 and nothing else means that the network really reaches us. */
export const ping = call({ name: 'ping', method: 'GET', path: 'ping/', access: 'open', cache: 'counted', query: null, body: null, answer: null })

export const health = call({
  name: 'health',
  method: 'GET',
  path: 'health/',
  access: 'open',
  cache: 'counted',
  query: null,
  body: null,
  answer: v.object({ status: v.picklist(['ok', 'down']), version: v.string(), database: v.picklist(['pglite', 'postgresql']) }),
})
