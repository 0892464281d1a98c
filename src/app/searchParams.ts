/** Query parameters as plain strings, never JSON, so that URLs read like the API's. */
export type Words = Record<string, string>

export function parseSearch(text: string): Words {
  const words: Words = {}
  for (const [name, value] of new URLSearchParams(text))
    words[name] = isList(name) && Object.hasOwn(words, name) ? `${words[name]},${value}` : value
  return words
}

/** Repeated, these form one list; of all others the last one counts [API 1.1]. */
const isList = (name: string): boolean =>
  /^(?:category|region|town|neighbourhood|condition|spec\..*)$/.test(name)

/** Omits empty values; slashes, colons and commas stay unescaped. */
export function stringifySearch(search: Record<string, unknown>): string {
  const said = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  const text = new URLSearchParams(said)
    .toString()
    .replaceAll('%2F', '/')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}
