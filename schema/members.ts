export type Members = Readonly<Record<string, unknown>>

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The members of an object; none of any other value. */
export function members(value: unknown): Members {
  return isMembers(value) ? { ...value } : {}
}
