const BLANK = /\{(\w+)\}/g

/** Filled in the page, from settings of the server (src/parts/operator.ts). */
export const filledLater = { operator_name: '%operator%', support_email: '%contact%' } as const

const hasBlank = (value: unknown) => typeof value === 'string' && value.search(BLANK) >= 0

/** A text with a blank that is not `known` moves under `template`: showing it does not compile. */
export function withoutBlanks(value: unknown, known: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    const text = value.replaceAll(BLANK, (blank, name: string) => known[name] ?? blank)
    if (hasBlank(text)) throw new Error(`texts.json: nothing fills the blank of “${text}”`)
    return text
  }
  if (Array.isArray(value)) return value.map((one) => withoutBlanks(one, known))
  if (typeof value !== 'object' || value === null) return value
  const fields: Record<string, unknown> = { ...value }
  const { fr, en, ...rest } = fields
  const isTemplate = [fr, en].some(
    (text) =>
      typeof text === 'string' &&
      hasBlank(text.replaceAll(BLANK, (blank, name: string) => known[name] ?? blank)),
  )
  const plain = Object.fromEntries(
    Object.entries(isTemplate ? rest : fields).map(([name, one]) => [
      name,
      withoutBlanks(one, known),
    ]),
  )
  return isTemplate ? { ...plain, template: { fr, en } } : plain
}
