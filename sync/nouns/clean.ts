/** No entry is refused for a lone surrogate or a NUL [API 1.1]. */
export function clean(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '')
}
