import { refuse, soundText } from '../../route/index.ts'

/** Throws on invalid UTF-8, lone surrogates and NUL [API 1.1]. */
export function readQuery(url: string): Record<string, string | string[]> {
  const query = new Map<string, string | string[]>()
  const start = url.indexOf('?')
  if (start < 0) return {}
  for (const pair of (url.slice(start + 1).split('#')[0] ?? '').split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    const before = query.get(name)
    query.set(name, before === undefined ? value : [before, value].flat())
  }
  return Object.fromEntries(query)
}

function decode(text: string) {
  try {
    const value = decodeURIComponent(text.replaceAll('+', ' '))
    if (soundText(value)) return value
  } catch {}
  throw refuse('parse_error')
}
