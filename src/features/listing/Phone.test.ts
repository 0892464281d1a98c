import { expect, test } from 'vitest'
import { demoNumber, shownNumber, whatsapp } from './Phone.tsx'

test('[S2.37] a number reads in pairs, and opens WhatsApp with the listing quoted', () => {
  expect(shownNumber('+22670123456')).toBe('+226 70 12 34 56')
  expect(shownNumber('+33612345678')).toBe('+33612345678')
  expect(whatsapp('+22670123456', 'Vélo & co : 5 000 F')).toBe(
    'https://wa.me/22670123456?text=V%C3%A9lo%20%26%20co%20%3A%205%20000%20F',
  )
})

test('the demo’s numbers are recognized', () => {
  expect(demoNumber('+22609123456')).toBe(true)
  expect(demoNumber('+22670123456')).toBe(false)
})
