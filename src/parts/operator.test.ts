import { expect, test } from 'vitest'
import { filledText } from './operator.ts'

test('[S13.15] a legal text names the operator, with a capital at the start of a sentence', () => {
  const text =
    '%operator% met en relation. %operator% n’encaisse rien, mais %operator% : %contact%.'
  expect(filledText(text, 'l’exploitant de ce marché', 'une adresse à venir')).toBe(
    'L’exploitant de ce marché met en relation. L’exploitant de ce marché n’encaisse rien, ' +
      'mais l’exploitant de ce marché : une adresse à venir.',
  )
  expect(filledText(text, 'Faso Marché', 'aide@yaar.bf')).toBe(
    'Faso Marché met en relation. Faso Marché n’encaisse rien, mais Faso Marché : aide@yaar.bf.',
  )
})
