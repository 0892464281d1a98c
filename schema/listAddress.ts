/** Plain strings, never JSON, so that URLs read like the API's. */
export type SearchParams = Record<string, string>

export function readSearch(query: Iterable<readonly [string, string]>): SearchParams {
  const params: SearchParams = {}
  for (const [name, value] of query)
    params[name] = isList(name) && Object.hasOwn(params, name) ? `${params[name]},${value}` : value
  return params
}

/** Repeated, these form one list; of all others the last one counts [API 1.1]. */
const isList = (name: string) =>
  /^(?:category|region|town|neighbourhood|condition|spec\..*)$/.test(name)

export type Address = Readonly<Record<string, string>>

const names = new Set([
  'search',
  'category',
  'region',
  'town',
  'neighbourhood',
  'near',
  'radius_km',
  'price_min',
  'price_max',
  'condition',
  'negotiable',
  'has_images',
  'is_featured',
  'verified_seller',
  'posted_within',
  'seller',
  'exclude',
  'ordering',
])

/** Categories as slugs; unknown ones [D03] and other parameters are ignored. */
export function filtersOf(
  search: Readonly<Record<string, unknown>>,
  resolveCategory: (text: string) => string | null,
): Address {
  const filters: Record<string, string> = {}
  for (const [given, value] of Object.entries(search)) {
    if (typeof value !== 'string' || value.trim() === '') continue
    const name = given === 'q' ? 'search' : given === 'sort' ? 'ordering' : given
    if (!names.has(name) && !name.startsWith('spec.')) continue
    const text = name === 'category' ? known(value, resolveCategory) : value.trim()
    if (text !== '') filters[name] = text
  }
  return filters
}

function known(value: string, resolveCategory: (text: string) => string | null) {
  return value
    .split(',')
    .flatMap((one) => resolveCategory(one) ?? [])
    .join(',')
}
