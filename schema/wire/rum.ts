import * as v from 'valibot'
import { call } from './call.ts'

export const rumType = v.picklist(['web-vital', 'error', 'unhandledrejection', 'react-error', 'http'])

/** S7.49: one report of the page about itself. */
export const rumReport = v.looseObject({
  type: rumType,
  ts: v.optional(v.union([v.number(), v.string()])),
  url: v.optional(v.string()),
  ua: v.optional(v.string()),
  message: v.optional(v.string()),
  filename: v.optional(v.string()),
  lineno: v.optional(v.number()),
  colno: v.optional(v.number()),
  status: v.optional(v.number()),
  duration: v.optional(v.number()),
  method: v.optional(v.string()),
})
export type RumReport = v.InferOutput<typeof rumReport>

/** API.md 15: one report or up to 20, always answered with 204. */
export const rum = call({
  name: 'rum.report',
  method: 'POST',
  path: 'rum/',
  access: 'open',
  keyed: false,
  form: 'text',
  bodyMax: 16 * 1024,
  query: null,
  body: v.unknown(),
  answer: null,
})
