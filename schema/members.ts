export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** None of anything but an object. */
export function members(value: unknown): Members {
  return isMembers(value) ? { ...value } : {}
}
