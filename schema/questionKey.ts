interface Asked {
  readonly name: string
  readonly params: object
}

/** Equal for equal questions, in whatever order their members were written. */
export function questionKey({ name, params }: Asked): string {
  return JSON.stringify({ name, params }, (_member, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** The same for every length of a list. */
export function listKey({ name, params }: Asked): string {
  return questionKey({ name, params: { ...params, limit: undefined } })
}

/** The same for every length and reading of a list: the first screen starts both anew. */
export function firstKey({ name, params }: Asked): string {
  return listKey({ name, params: { ...params, from: undefined } })
}
