import type { Language } from '#schema/wire/shapes'
import type { Caller, StoredReply } from './caller.ts'
import type { LimitRow } from './limits.ts'
import type { Services } from './services.ts'
import type { Source } from './values.ts'

/**
 * A file of a multipart body, on disk until the request is answered. Its declared name and type are
 * ignored [API 6.1].
 */
export interface UploadedFile {
  readonly path: string
  readonly bytes: number
  /** Above 5 MB: only the beginning was stored, and the field is `image_too_large`. */
  readonly tooLarge: boolean
}

/** A body before any schema is applied. Equal fingerprints mean the same request [API 2]. */
export interface RawBody {
  readonly values: unknown
  readonly source: Source
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fingerprint: Buffer
}

/**
 * A request whose caller, query and body are read, but not yet checked against the call's schemas.
 */
export interface Exchange {
  readonly services: Services
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: RawBody
  readonly caller: Caller | null
  readonly language: Language
  readonly address: string
  readonly visitorSession: string | null
  readonly userAgent: string
  /** The Idempotency-Key or `client_id`, when the call takes one and the caller gave one. */
  readonly key: string | null
  /** The stored response of the key, from the caller's query; undefined when it was not queried. */
  readonly kept: StoredReply | null | undefined
  readonly fingerprint: Buffer
  readonly now: Date
  /** Counts this request against a row of [API 1.6]; throws 429. Resolves to an undo, for a 304. */
  count(row: LimitRow): Promise<() => Promise<void>>
  /** Aborted when the deadline has passed: nothing may be committed any more. */
  readonly signal: AbortSignal
}
