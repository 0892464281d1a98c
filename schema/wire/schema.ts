import * as v from 'valibot'
import { call } from './call.ts'

/** [API 15] */
export const description = call('schema', 'GET', 'schema/', {
  access: 'open',
  cache: 'static',
  answer: v.record(v.string(), v.unknown()),
})
