import { expect, test } from 'vitest'
import { isVisible } from './text.ts'

test.each([
  '',
  ' \n\t',
  '\u200b\u200b\u200b\u200b\u200b',
  '\u200d',
  '\u2060\ufeff',
  '\u00ad',
  '\u3164',
  '\u115f\u1160',
  '\ufe0f',
  '\u2800',
  '\u202e\u202c',
  '\u{e0061}\u{e007f}',
  '\u00a0\u3000',
])('[A6] %j shows nothing', (text) => expect(isVisible(text)).toBe(false))
const emoji = ['👨‍👩‍👧‍👦', '🏳️‍🌈', '🇧🇫', '❤️', '1️⃣']
test.each(['a', '0', '.', 'क्‍ष', 'می‌خواهم', '\u200bBonjour', ...emoji])(
  '[A6] %j shows something',
  (text) => expect(isVisible(text)).toBe(true),
)
