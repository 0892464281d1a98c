/** Removes accents and case: NFD without combining marks, lower case [API 8.2]. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** Splits a text into terms: runs of letters and digits after folding [API 8.2, D108]. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/**
 * Key to compare names of places and categories: apostrophes and hyphens count as spaces [API 8.8].
 */
export function nameKey(text: string): string {
  return fold(text)
    .replace(/['’‘`ʼ\-‐‑–—_]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
}
