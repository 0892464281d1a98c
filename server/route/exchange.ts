import type { Language } from '#schema/wire/shapes'
import type { Caller, StoredReply } from './caller.ts'
import type { LimitRow } from './limits.ts'
import type { Services } from './services.ts'
import type { Source } from './values.ts'

/** On disk until the request is answered [API 6.1]. */
export type UploadedFile = Readonly<{
  path: string
  bytes: number
  /** Above 5 MB: only the beginning was stored. */
  tooLarge: boolean
}>

/** Before any schema. Equal fingerprints mean the same request [API 2]. */
export type RawBody = Readonly<{
  values: unknown
  source: Source
  files: Readonly<Record<string, readonly UploadedFile[]>>
  fingerprint: Buffer
}>

/** Read, but not yet checked against the call's schemas. */
export type Exchange = Readonly<{
  services: Services
  request: Request
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string | string[]>>
  body: RawBody
  caller: Caller | null
  language: Language
  address: string
  visitorSession: string | null
  userAgent: string
  /** The Idempotency-Key or `client_id`, when the call takes one. */
  key: string | null
  /** The key's stored response; undefined when it was not queried. */
  kept: StoredReply | null | undefined
  fingerprint: Buffer
  now: Date
  /** Throws 429 of [API 1.6]. Resolves to an undo, for a 304. */
  count(row: LimitRow): Promise<() => Promise<void>>
  /** At the deadline: nothing may be committed any more. */
  signal: AbortSignal
}>
