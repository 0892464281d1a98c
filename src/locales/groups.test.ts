import { expect, test } from 'vitest'
import { formatOf, groupsOf } from './format.ts'

test.each(['fr', 'en'] as const)(
  '[S9.01] a long price splits only between its digit groups, in %s',
  (language) => {
    const money = formatOf(language).money(2_000_000_000)
    expect(groupsOf(money).map((group) => group.replace(/\D/g, ''))).toEqual([
      '2',
      '000',
      '000',
      '000',
    ])
    expect(groupsOf(money).join('')).toBe(money)
  },
)
