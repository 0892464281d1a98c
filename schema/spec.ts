import { flag, type Members } from './members.ts'
import type { SpecField } from './wire/catalogue.ts'
import type { Specs } from './wire/listing.ts'

/** `more`: the bounds, if any [API 8.7]. */
export type SpecProblem = Readonly<{
  name: string
  code: 'invalid' | 'invalid_choice' | 'min_value' | 'max_value' | 'too_long'
  more: Readonly<Record<string, number>>
}>

/** Hidden fields, null and "" are ignored [API 5.3, API 8.7]. */
export function readFields(
  fields: readonly SpecField[],
  given: Members,
): { specs: Specs; problems: SpecProblem[] } {
  const specs: Specs = {}
  const problems: SpecProblem[] = []
  for (const field of fields) {
    const value = given[field.name]
    if (value === undefined || value === null || value === '' || isHidden(field, given)) continue
    const read = readSpec(field, value)
    if (typeof read === 'object') problems.push({ name: field.name, ...read })
    else specs[field.name] = read
  }
  return { specs, problems }
}

export function isHidden(field: SpecField, given: Members) {
  return Object.entries(field.hidden_when ?? {}).some(([name, values]) => {
    const other = given[name]
    return typeof other === 'string' && values.includes(other.toLowerCase())
  })
}

type Fault = Omit<SpecProblem, 'name'>
const fault = (code: SpecProblem['code'], more: Fault['more'] = {}) => ({ code, more })

function readSpec(field: SpecField, value: unknown): Specs[string] | Fault {
  switch (field.type) {
    case 'text':
      if (typeof value !== 'string') return fault('invalid')
      return Array.from(value).length > (field.max_length ?? 60)
        ? fault('too_long', { max: field.max_length ?? 60 })
        : value
    case 'enum':
      return optionIn(field, String(value)) ?? fault('invalid_choice')
    case 'boolean':
      return flag(value) ?? fault('invalid')
    case 'integer':
      return readInteger(field, value)
  }
}

export function optionIn({ options }: SpecField, text: string): string | undefined {
  return options?.find(({ value }) => value.toLowerCase() === text.toLowerCase())?.value
}

function readInteger({ min, max }: SpecField, value: unknown): number | Fault {
  const number =
    typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return fault('invalid')
  const bounds = { ...(min !== null && { min }), ...(max !== null && { max }) }
  if (min !== null && number < min) return fault('min_value', bounds)
  return max !== null && number > max ? fault('max_value', bounds) : number
}
