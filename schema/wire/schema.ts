import * as v from 'valibot'
import { call } from './call.ts'

/** [API 15]: the OpenAPI description. */
export const description = call({
  name: 'schema',
  path: 'schema/',
  access: 'open',
  cache: 'static',
  answer: v.record(v.string(), v.unknown()),
})
