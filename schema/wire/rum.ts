import * as v from 'valibot'
import { call } from './call.ts'

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
