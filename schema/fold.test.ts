import { expect, test } from 'vitest'
import { fold, nameKey, wordsOf } from './fold.ts'

test('[S2.32] words are runs of letters and digits after folding: NFD, marks dropped, lower case', () => {
  expect(wordsOf('Réfrigérateur L’ÉCLAIR 200-L, 4x4 !')).toEqual([
    'refrigerateur',
    'l',
    'eclair',
    '200',
    'l',
    '4x4',
  ])
  expect(wordsOf('%_*')).toEqual([])
  expect(wordsOf('😀 هاتف ١٢')).toEqual(['هاتف', '١٢'])
  expect(fold('ÎLE İ')).toBe('ile i')
})

test('[S7.23] names are equal without case, accents, apostrophes and hyphens', () => {
  expect(nameKey(' Patte d’Oie ')).toBe(nameKey("PATTE D'OIE"))
  expect(nameKey('Bobo-Dioulasso')).toBe(nameKey('bobo dioulasso'))
})
