export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** None of anything but an object. */
export function members(value: unknown): Members {
  return isMembers(value) ? { ...value } : {}
}

/** null: neither true nor false in any form of a query or a simpler server. */
export function flag(value: unknown): boolean | null {
  if (value === true || value === 1 || value === 'true' || value === '1') return true
  return value === false || value === 0 || value === 'false' || value === '0' ? false : null
}
