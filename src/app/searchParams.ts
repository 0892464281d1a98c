/** A query: names and plain texts, never JSON, so that addresses read like those of the API. */
export type Words = Record<string, string>

export function parseSearch(text: string): Words {
  const words: Words = {}
  for (const [name, value] of new URLSearchParams(text))
    words[name] = isList(name) && Object.hasOwn(words, name) ? `${words[name]},${value}` : value
  return words
}

/** Repeated, these are one list; of all others the last one counts [API 1.1]. */
const isList = (name: string): boolean =>
  /^(?:category|region|town|neighbourhood|condition|spec\..*)$/.test(name)

/** Empty values say nothing and are left out; slashes, colons and commas stay readable. */
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
