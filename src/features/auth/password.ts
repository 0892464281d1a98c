import { PASSWORD_MIN } from '#schema/limits'

export type Strength = 'weak' | 'fair' | 'strong'

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]
const common = /^(?:123456|abcdef|qwerty|azerty|password|motdepasse|marche|burkina|ouaga)/iu

/** [S5.01]. Length counts most; a common prefix or the username makes it weak at any length. */
export function strengthOf(password: string, username: string): Strength {
  const letters = [...password]
  const own = username.length >= 3 && password.toLowerCase().includes(username.toLowerCase())
  if (letters.length < PASSWORD_MIN || own || common.test(password)) return 'weak'
  if (new Set(letters).size <= 3) return 'weak'
  const variety = kinds.filter((kind) => kind.test(password)).length
  const points = letters.length + 2 * (variety - 1)
  if (points >= 14) return 'strong'
  return points >= 9 ? 'fair' : 'weak'
}
