/** Francs of "10 000 F", "10.000" or "10000"; null: empty; undefined: no whole number [API 5.3]. */
export function priceOf(text: string): number | null | undefined {
  const bare = text.trim().replace(/\s*f?\s*(cfa)?\s*$/iu, '')
  if (bare === '') return text.trim() === '' ? null : undefined
  const digits = /^\d{1,3}([\s.,]\d{3})+$/u.test(bare)
    ? bare.replace(/[\s.,]/gu, '')
    : bare.replace(/\s/gu, '')
  return /^\d{1,15}$/u.test(digits) ? Number(digits) : undefined
}
