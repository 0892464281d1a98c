import type { LocalizedText } from '#schema/wire/shapes'
import { texts, type Code } from './texts.ts'

/** `text` overrides the code's, `more` holds bounds and ids. */
export type FieldFault = Readonly<{
  code: Code
  text?: LocalizedText
  more?: Readonly<Record<string, number | string>>
}>

/** [API 1.4]. Thrown, so that the transaction around it rolls back. */
export class Refusal extends Error {
  readonly code: Code | 'validation_error'
  readonly status: number
  readonly fields: Readonly<Record<string, readonly FieldFault[]>>
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>

  constructor(
    code: Code | 'validation_error',
    more: Partial<Pick<Refusal, 'fields' | 'headers' | 'members'>> = {},
  ) {
    super(code)
    this.code = code
    this.status = code === 'validation_error' ? 400 : texts[code].status
    this.fields = more.fields ?? {}
    this.headers = more.headers ?? {}
    this.members = more.members ?? {}
  }
}

/** Those that the contract names for the code. */
export const refuse = (code: Code, members: Record<string, unknown> = {}) =>
  new Refusal(code, { members })

export const refuseField = (
  field: string,
  code: Code,
  more: Record<string, number | string> = {},
) => new Refusal('validation_error', { fields: { [field]: [{ code, more }] } })

/** In the order of the field tables. */
export const refuseFields = (fields: Refusal['fields']) =>
  new Refusal('validation_error', { fields })

/** 422 when a key was stored with another request [API 2]. */
export function requireSame(stored: Buffer | null, fingerprint: Buffer | null) {
  if (fingerprint === null || stored?.equals(fingerprint) !== true)
    throw refuse('idempotency_key_reused')
}

/** With Retry-After: 429, or 409 of a request that still runs. */
export function refuseUntil(code: Code, seconds: number) {
  const after = Math.max(1, Math.ceil(seconds))
  return new Refusal(code, {
    headers: { 'Retry-After': `${after}` },
    members: texts[code].status === 429 ? { retry_after: after } : {},
  })
}
