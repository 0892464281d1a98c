import { type Address, filtersOf as filtersIn } from '#schema/listAddress'
import type { Facets } from '#schema/wire/listing'
import type { Format } from '../../locales/format.ts'
import { resolveCategory } from '../../parts/categories.ts'

export type { Address }

export interface FilterProps {
  chosen: Address
  set: (change: Change) => void
  facets: Facets | null
}

/** null removes a filter. */
export type Change = Readonly<Record<string, string | null>>

export interface Filtered {
  filters: Address
  onChange: (filters: Address) => void
}

/** " (12)"; empty: unknown. */
export function counted(
  { countText }: Pick<Format, 'countText'>,
  values: Facets['regions'] | undefined,
  value: string,
) {
  const found = values?.find((one) => one.value === value)
  return found ? ` (${countText(found.count, found.count_is_exact)})` : ''
}

export const filtersOf = (search: Readonly<Record<string, unknown>>): Address =>
  filtersIn(search, resolveCategory)

export function changed(filters: Address, change: Change): Address {
  const next: Record<string, string> = { ...filters }
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') delete next[name]
    else next[name] = value
  }
  if ('category' in change)
    for (const name of Object.keys(next)) if (name.startsWith('spec.')) delete next[name]
  if ('region' in change)
    for (const name of ['town', 'neighbourhood']) if (!(name in change)) delete next[name]
  if ('town' in change && !('neighbourhood' in change)) delete next['neighbourhood']
  return next
}

export function toggled(list: string | undefined, value: string) {
  const values = list === undefined ? [] : list.split(',')
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
  return next.length === 0 ? null : next.join(',')
}

export const crossed = (low: string | undefined, high: string | undefined) =>
  (low ?? '') !== '' && (high ?? '') !== '' && Number(low) > Number(high)

export function isHeld(filters: Address) {
  const ranges = Object.entries(filters).flatMap(([name, value]) =>
    name.startsWith('spec.') && value.includes('..') ? [value.split('..')] : [],
  )
  return ![[filters['price_min'], filters['price_max']], ...ranges].some(([low, high]) =>
    crossed(low, high),
  )
}

const ROUND = [1, 2.5, 5].flatMap((digit) => [1e4, 1e5, 1e6, 1e7].map((power) => digit * power))

/** Round prices, within the buckets. */
export function priceSteps(
  buckets: readonly { readonly min: number; readonly max: number | null }[],
): readonly number[] {
  const ends = buckets.flatMap(({ max }) => max ?? [])
  const [least, most] = [Math.min(...ends), Math.max(...ends)]
  return ROUND.filter((price) => price >= least && price <= most + 1).toSorted((a, b) => a - b)
}
