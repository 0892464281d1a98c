/** Query parameters as plain strings, never JSON, so that URLs read like the API's. */
export type SearchParams = Record<string, string>

export function parseSearch(text: string): SearchParams {
  const params: SearchParams = {}
  for (const [name, value] of new URLSearchParams(text))
    params[name] = isList(name) && Object.hasOwn(params, name) ? `${params[name]},${value}` : value
  return params
}

/** Repeated, these form one list; of all others the last one counts [API 1.1]. */
const isList = (name: string): boolean =>
  /^(?:category|region|town|neighbourhood|condition|spec\..*)$/.test(name)

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  const text = new URLSearchParams(given)
    .toString()
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}
