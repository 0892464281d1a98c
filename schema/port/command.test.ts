import { expect, test } from 'vitest'
import * as v from 'valibot'
import { BIO_MAX, COMMENT_MAX, MESSAGE_MAX, REACTIVATE_DAYS_MAX, REPORT_MAX } from '../limits.ts'
import { commands } from './command.ts'

const long = (length: number): string => 'é'.repeat(length)

/**
 * Emoji can count as two UTF-16 units, so the client allows twice the limit and the server decides.
 */
test.each([
  [
    'a message',
    'message.send',
    (text: string) => ({ conversation: 'C1', content: text }),
    2 * MESSAGE_MAX,
  ],
  ['a biography', 'account.edit', (text: string) => ({ bio: text }), 2 * BIO_MAX],
  [
    'a report',
    'report.send',
    (text: string) => ({ category: 'other', message: text, listing: null, user: null }),
    2 * REPORT_MAX,
  ],
  [
    'a review',
    'review.write',
    (text: string) => ({ seller: 'U1', rating: 5, comment: text }),
    2 * COMMENT_MAX,
  ],
] as const)(
  '[S5.08] %s has a bound of its own, kept before it is queued',
  (_what, name, payload, most) => {
    expect(v.is(commands[name], payload(long(most)))).toBe(true)
    expect(v.is(commands[name], payload(long(most + 1)))).toBe(false)
  },
)

test.each([
  [0, false],
  [1, true],
  [REACTIVATE_DAYS_MAX, true],
  [REACTIVATE_DAYS_MAX + 1, false],
  [1.5, false],
])('[S5.08] a listing comes back for %f days: %s', (days, holds) => {
  expect(v.is(commands['listing.reactivate'], { listing: 'L1', days })).toBe(holds)
})

test.each(['message.send', 'conversation.start'] as const)(
  '[S5.06] %s says something: words, a photo, or both',
  (name) => {
    const about = { conversation: 'C1', listing: 'L1' }
    const photo = { id: 'P1', bytes: 200_000 }
    expect(v.is(commands[name], { ...about, content: 'Bonjour', photo })).toBe(true)
    expect(v.is(commands[name], { ...about, content: '  ', photo })).toBe(true)
    expect(v.safeParse(commands[name], { ...about, content: '  ' }).issues?.[0].message).toBe(
      'message_empty',
    )
  },
)
