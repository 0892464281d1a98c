/** The server rejects lone surrogates and NUL [API 1.1]. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '')
}
