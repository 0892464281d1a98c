const KEYS = 4

interface Field {
  readonly name: string
  readonly required: boolean
}

/**
 * The most telling ones of the category, at most four, and the others in the form's order; answers
 * to unknown questions last.
 */
export function specLines(
  given: readonly string[],
  fields: readonly Field[],
  telling: readonly string[],
): { readonly keys: readonly string[]; readonly others: readonly string[] } {
  const known = fields.filter(({ name }) => given.includes(name))
  const byWeight = [
    ...telling.filter((name) => known.some((field) => field.name === name)),
    ...known.filter(({ required }) => required).map(({ name }) => name),
    ...known.map(({ name }) => name),
    ...given,
  ]
  const keys = [...new Set(byWeight)].slice(0, KEYS)
  const all = [...new Set([...known.map(({ name }) => name), ...given])]
  return { keys, others: all.filter((name) => !keys.includes(name)) }
}
