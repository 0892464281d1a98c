import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { PASSWORD_MAX, PASSWORD_MIN } from '#schema/limits'

export type Registration = Readonly<{
  username: string
  email: string
  password: string
  confirm: string
}>

type Wrong = Partial<Record<keyof Registration, MessageDescriptor>>

/** [API 5.3]. */
const usernameShape = /^[A-Za-z0-9][A-Za-z0-9_.-]{2,29}$/
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** [S5.01]; empty: valid. */
export function checkRegistration({ username, email, password, confirm }: Registration): Wrong {
  const address = checkEmail(email)
  return {
    ...(!usernameShape.test(username) && {
      username: msg`De 3 à 30 lettres sans accent, chiffres, points ou tirets.`,
    }),
    ...(address && { email: address }),
    ...checkPassword(password, confirm, username),
  }
}

export function checkEmail(email: string): MessageDescriptor | undefined {
  return emailShape.test(email) ? undefined : msg`Cette adresse e-mail n’est pas complète.`
}

export function checkPassword(
  password: string,
  confirm: string,
  username = '',
): Pick<Wrong, 'password' | 'confirm'> {
  const length = [...password].length
  if (length < PASSWORD_MIN)
    return { password: msg`Le mot de passe doit contenir au moins 6 caractères.` }
  if (length > PASSWORD_MAX) return { password: msg`Le mot de passe est trop long.` }
  if (username !== '' && password === username)
    return { password: msg`Le mot de passe doit différer du nom d’utilisateur.` }
  return password === confirm ? {} : { confirm: msg`Les mots de passe ne correspondent pas.` }
}
