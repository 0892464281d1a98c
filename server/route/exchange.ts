import type { Language } from '#schema/wire/shapes'
import type { Caller, StoredReply } from './caller.ts'
import type { LimitRow } from './limits.ts'
import type { Services } from './services.ts'
import type { Source } from './values.ts'

/** On disk until the request is answered; its declared name and type are ignored [API 6.1]. */
export interface UploadedFile {
  readonly path: string
  readonly bytes: number
  /** Above 5 MB: only the beginning was stored. */
  readonly tooLarge: boolean
}

/** Before any schema. Equal fingerprints mean the same request [API 2]. */
export interface RawBody {
  readonly values: unknown
  readonly source: Source
  readonly files: Readonly<Record<string, readonly UploadedFile[]>>
  readonly fingerprint: Buffer
}

/** Read, but not yet checked against the call's schemas. */
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
  /** The Idempotency-Key or `client_id`, when the call takes one. */
  readonly key: string | null
  /** The key's stored response; undefined when it was not queried. */
  readonly kept: StoredReply | null | undefined
  readonly fingerprint: Buffer
  readonly now: Date
  /** Throws 429 of [API 1.6]. Resolves to an undo, for a 304. */
  count(row: LimitRow): Promise<() => Promise<void>>
  /** At the deadline: nothing may be committed any more. */
  readonly signal: AbortSignal
}
