import type { Language } from '#schema/wire/shapes'

/** [API 1.1]: the preferred one of fr and en in `Accept-Language`, else French. */
export function languageOf(header: string | null): Language {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...options] = part.trim().toLowerCase().split(';')
      const weight = options
        .map((option) => /^\s*q=([\d.]+)\s*$/.exec(option)?.[1])
        .find((q) => q !== undefined)
      return { name: tag.trim().split('-')[0], weight: Number(weight ?? 1) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .find(({ name }) => name === 'fr' || name === 'en')
  return wanted?.name === 'en' ? 'en' : 'fr'
}
