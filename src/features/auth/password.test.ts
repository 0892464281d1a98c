import { expect, test } from 'vitest'
import { strengthOf } from './password.ts'

test.each([
  ['', 'weak'],
  ['aB3!x', 'weak'],
  ['abcxyz', 'weak'],
  ['aaaaaaaaaaaa', 'weak'],
  ['123456789Ab!', 'weak'],
  ['motdepasse2026', 'weak'],
  ['mangue7x', 'fair'],
  ['karite et mil', 'strong'],
  ['Zogona-2026-mil', 'strong'],
])('[S5.01] the meter rates “%s” %s', (password, strength) => {
  expect(strengthOf(password, 'awa')).toBe(strength)
})

test('[S5.01] a password that contains the username is weak', () => {
  expect(strengthOf('Ouedraogo.77!', 'ouedraogo')).toBe('weak')
})
