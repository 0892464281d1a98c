import { expect, test } from 'vitest'
import { textIn } from './textIn.ts'

test('typed text is found in a row of any shape', () => {
  expect(
    textIn({ id: 'x', name: 'message.shout', payload: { content: 'Bonjour', conversation: 'C1' } }),
  ).toBe('Bonjour')
  expect(
    textIn({
      id: 'x',
      name: 'listing.publish',
      payload: { fields: { title: 'Vélo', description: 'Bleu', region: 'centre' } },
    }),
  ).toBe('Vélo\nBleu')
  expect(textIn({ id: 'U1 k', content: 'Je pensais', at: 'hier' })).toBe('Je pensais')
})

test('without typed text the row itself is returned', () => {
  expect(textIn({ id: 'x', name: 'user.wave', payload: { user: 'U2' } })).toBe(
    '{"id":"x","name":"user.wave","payload":{"user":"U2"}}',
  )
})
