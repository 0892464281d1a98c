/** Of base64url; null: empty or malformed. The caller checks its length [S9.18]. */
export function keyOf(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.trim().replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/u, '')
  if (plain === '') return null
  try {
    return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
