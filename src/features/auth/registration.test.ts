import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { checkPassword, checkRegistration } from './registration.ts'

beforeAll(() => {
  i18n.loadAndActivate({ locale: 'fr', messages: {} })
})

const good = {
  username: 'awa.k',
  email: 'awa@example.com',
  password: 'mangue7x',
  confirm: 'mangue7x',
}

test.each([
  [good, {}],
  [
    { ...good, username: 'é' },
    { username: 'De 3 à 30 lettres sans accent, chiffres, points ou tirets.' },
  ],
  [{ ...good, email: 'awa@ici' }, { email: 'Cette adresse e-mail n’est pas complète.' }],
  [
    { ...good, password: 'court', confirm: 'court' },
    { password: 'Le mot de passe doit contenir au moins 6 caractères.' },
  ],
  [{ ...good, confirm: 'autre' }, { confirm: 'Les mots de passe ne correspondent pas.' }],
  [
    { ...good, username: 'mangue', password: 'mangue', confirm: 'mangue' },
    { password: 'Le mot de passe doit différer du nom d’utilisateur.' },
  ],
])('[S5.01] registering with %j', (values, wrong) => {
  const texts = Object.entries(checkRegistration(values)).map(([field, text]) => [
    field,
    i18n._(text),
  ])
  expect(Object.fromEntries(texts)).toEqual(wrong)
})

test('[S5.01] [S9.05] six emoji are six characters', () => {
  expect(checkPassword('🥭🥭🥭🥭🥭🥭', '🥭🥭🥭🥭🥭🥭')).toEqual({})
  expect(checkPassword('🥭🥭🥭', '🥭🥭🥭')).toHaveProperty('password')
})
