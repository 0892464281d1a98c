/** The bytes of a VAPID key in base64url; null when there is none or it is no such text. Its length is judged by the caller [S9.18]. */
export function keyOf(text: string): Uint8Array<ArrayBuffer> | null {
  const plain = text.trim().replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/u, '')
  if (plain === '') return null
  try {
    return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
