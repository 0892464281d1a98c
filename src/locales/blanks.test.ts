import { expect, test } from 'vitest'
import texts from '#schema/data/texts.json' with { type: 'json' }
import { filledLater, withoutBlanks } from './blanks.ts'

/** Parts of texts.json that screens import (modules.d.ts), without the scam patterns. */
const shown = [
  'faq',
  'safety',
  'notification_help',
  'terms',
  'privacy',
  'add_to_home',
  'quick_messages',
  'empty_states',
  'push',
  'how_it_works',
  'home_stats',
  'testimonials',
] as const

function texted(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => (name === 'template' ? [] : texted(one)))
}

test.each(shown)('no text of %s reaches a screen with an unfilled blank', (part) => {
  const given: Readonly<Record<string, unknown>> = texts
  // `listings_offline` has an undeclared blank; no screen imports it.
  const filled = texted(withoutBlanks(given[part], { ...texts.variables, ...filledLater }))
  expect(filled.length).toBeGreaterThan(0)
  expect(filled.filter((text) => /\{\w+\}/.test(text))).toEqual([])
})

test('a question with a blank becomes a template', () => {
  const question = { id: 'delivery', fr: 'Livrez-vous à {town} ?', en: 'Do you deliver to {town}?' }
  expect(withoutBlanks([question], {})).toEqual([
    { id: 'delivery', template: { fr: question.fr, en: question.en } },
  ])
  expect(withoutBlanks([question], { town: 'Koudougou' })).toEqual([
    { id: 'delivery', fr: 'Livrez-vous à Koudougou ?', en: 'Do you deliver to Koudougou?' },
  ])
})

test('a blank that cannot be a template fails the build', () => {
  expect(() => withoutBlanks({ fr: ['Mis à jour {when}'] }, {})).toThrow('{when}')
})
