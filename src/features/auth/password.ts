import { PASSWORD_MIN } from '#schema/limits'

export type Strength = 'weak' | 'fair' | 'strong'

const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u]
const common = /^(?:123456|abcdef|qwerty|azerty|password|motdepasse|marche|burkina|ouaga)/iu

export type Advice = 'longer' | 'own' | 'common' | 'repeated' | 'varied' | 'more' | null

/** [S5.01] */
export function strengthOf(
  password: string,
  username: string,
): { readonly strength: Strength; readonly advice: Advice } {
  const letters = [...password]
  const own = username.length >= 3 && password.toLowerCase().includes(username.toLowerCase())
  if (letters.length < PASSWORD_MIN) return { strength: 'weak', advice: 'longer' }
  if (own) return { strength: 'weak', advice: 'own' }
  if (common.test(password)) return { strength: 'weak', advice: 'common' }
  if (new Set(letters).size <= 3) return { strength: 'weak', advice: 'repeated' }
  const variety = kinds.filter((kind) => kind.test(password)).length
  const points = letters.length + 2 * (variety - 1)
  if (points >= 14) return { strength: 'strong', advice: null }
  return points >= 9 ? { strength: 'fair', advice: 'more' } : { strength: 'weak', advice: 'varied' }
}
