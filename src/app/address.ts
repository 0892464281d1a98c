/** A query: names and plain texts, never JSON, so that addresses read like those of the API. */
export type Words = Record<string, string>

export function parseSearch(text: string): Words {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Empty values say nothing and are left out; slashes, colons and commas stay readable. */
export function stringifySearch(search: Record<string, unknown>): string {
  const said = Object.entries(search).flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : []))
  const text = new URLSearchParams(said).toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',')
  return text === '' ? '' : `?${text}`
}
