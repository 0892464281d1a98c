import type { Tables } from '../../db/tables.ts'

type Report = Omit<Tables['rum'], 'id' | 'created_at'>

/** Known members of the right type, truncated; URLs without query and hash [API 15]. */
export function reportOf(sent: Readonly<Record<string, unknown>>): Report {
  const text = (name: string, max: number): string | null => {
    const value = sent[name]
    return typeof value === 'string' ? [...value].slice(0, max).join('') : null
  }
  const number = (name: string): number | null => {
    const value = sent[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }
  const address = (name: string): string | null =>
    text(name, 2000)
      ?.replace(/[?#].*$/s, '')
      .slice(0, 300)
      .toWellFormed() ?? null
  const ts = sent['ts']
  return {
    type: text('type', 20) ?? '',
    ts: typeof ts === 'number' && Number.isFinite(ts) ? `${ts}` : text('ts', 40),
    url: address('url'),
    ua: text('ua', 300),
    message: text('message', 500),
    filename: address('filename'),
    lineno: number('lineno'),
    colno: number('colno'),
    status: number('status'),
    duration: number('duration'),
    method: text('method', 10),
  }
}
