import { PASSWORD_MIN } from '#schema/limits'

export type Strength = 'weak' | 'fair' | 'strong'

/** Kinds of signs: lower case, capitals, digits, all others. */
const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]
const common = /^(?:123456|abcdef|qwerty|azerty|password|motdepasse|marche|burkina|ouaga)/iu

/**
 * What the meter of [S5.01] shows. Length counts most: twelve letters of one kind are worth eight of three.
 * A password that begins like everybody's, or says the username, stays weak whatever its length.
 */
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
