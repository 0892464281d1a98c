import { parseAccept } from 'hono/utils/accept'
import type { Language } from '#schema/wire/shapes'

/** [API 1.1]: the preferred one of fr and en in `Accept-Language`, else French. */
export function languageOf(header: string | null): Language {
  const wanted = parseAccept(header ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.toLowerCase().split('-')[0])
    .find((name) => name === 'fr' || name === 'en')
  return wanted === 'en' ? 'en' : 'fr'
}
