import * as v from 'valibot'

/** null: not of this shape. */
export function parsed<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): v.InferOutput<S> | null {
  const { success, output } = v.safeParse(schema, value)
  return success ? output : null
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
