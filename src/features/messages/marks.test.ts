import { expect, test } from 'vitest'
import { fold } from '#schema/fold'
import { hasWords, markedParts } from './marks.ts'

const marked = (content: string, words: string): string =>
  markedParts(content, fold(words))
    .map(({ text, found }) => (found ? `[${text}]` : text))
    .join('')

test.each([
  ['Le prix est négociable ?', 'negociable', 'Le prix est [négociable] ?'],
  ['Été comme hiver, été', 'ETE', '[Été] comme hiver, [été]'],
  ['e\u0301te\u0301', 'été', '[e\u0301te\u0301]'],
  ['Prix 😀 prix', 'prix', '[Prix] 😀 [prix]'],
  ['aaaa', 'aa', '[aa][aa]'],
  ['ﬁn', 'fin', 'ﬁn'],
  ['Bonjour', 'soir', 'Bonjour'],
])('[S13.35] in “%s” the words “%s” are marked as %s', (content, words, shown) => {
  expect(marked(content, words)).toBe(shown)
})

test('[S13.35] marking keeps the text, and no words find nothing', () => {
  const content = 'Ça va ? Ç’est prêt à Ouagadougou'
  for (const words of ['a', 'ou', 'pret', 'x', ''])
    expect(
      markedParts(content, words)
        .map(({ text }) => text)
        .join(''),
    ).toBe(content)
  expect(hasWords(content, '')).toBe(false)
})
