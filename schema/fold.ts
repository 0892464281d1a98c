/** Without accents and case [API 8.2]. */
export function fold(text: string) {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** Folded runs of letters and digits [API 8.2, D108]. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** To compare names: apostrophes and hyphens count as spaces [API 8.8]. */
export function nameKey(text: string) {
  return fold(text)
    .replace(/['’‘`ʼ\-‐‑–—_]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
}
