import type { Cache } from '#schema/wire/call'

/** With another status, with headers, or not JSON. */
export class Reply<T = unknown> {
  readonly value: T
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>

  constructor(value: T, more: { status?: number; headers?: Record<string, string> } = {}) {
    this.value = value
    this.status = more.status ?? null
    this.headers = more.headers ?? {}
  }
}

export const reply = <T>(value: T, more: { status?: number; headers?: Record<string, string> }) =>
  new Reply(value, more)

export const created = <T>(value: T, isNew: boolean) => reply(value, { status: isNew ? 201 : 200 })

export function cacheControl(cache: Cache, signedIn: boolean) {
  switch (cache) {
    case 'static':
      return 'public, max-age=3600, stale-while-revalidate=86400'
    case 'catalogue':
      return signedIn ? 'private, no-cache' : 'public, max-age=30, stale-while-revalidate=300'
    case 'personal':
      return 'private, no-cache'
    case 'counted':
    case 'none':
      return 'no-store'
  }
}
