import { expect, test } from 'vitest'
import { strengthOf } from './password.ts'

test.each([
  ['', 'weak', 'longer'],
  ['aB3!x', 'weak', 'longer'],
  ['abcxyz', 'weak', 'varied'],
  ['aaaaaaaaaaaa', 'weak', 'repeated'],
  ['123456789Ab!', 'weak', 'common'],
  ['motdepasse2026', 'weak', 'common'],
  ['mangue7x', 'fair', 'more'],
  ['karite et mil', 'strong', null],
  ['Zogona-2026-mil', 'strong', null],
])(
  '[S5.01] [S13.11] the meter rates “%s” %s, and the way to a stronger one is %s',
  (password, strength, advice) => {
    expect(strengthOf(password, 'awa')).toEqual({ strength, advice })
  },
)

test('[S5.01] a password that contains the username is weak', () => {
  expect(strengthOf('Ouedraogo.77!', 'ouedraogo')).toEqual({ strength: 'weak', advice: 'own' })
})
