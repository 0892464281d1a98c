import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListDocument } from '#schema/disk/documents'
import { lengthened, readOn, refreshed } from './list.ts'

const listDocument = (ids: readonly string[], next: string | null = 'next'): ListDocument => ({
  id: 'l',
  ids,
  count: null,
  next,
  cursor: null,
  etag: null,
  at: 1,
  problem: null,
  facts: null,
})
const leaf = (ids: readonly string[], next: string | null = 'p2') => ({ ids, next, count: 9 })
const letters = (text: string) => [...text]

test.each([
  ['the first answer', null, 'abc', 'abc', 'p2'],
  ['nothing new', 'abcdef', 'abc', 'abcdef', 'next'],
  ['two new ones push two down', 'abcdef', 'xya', 'xyabcdef', 'next'],
  ['one went, the next one came up', 'abcdef', 'acd', 'acdef', 'next'],
  ['one moved up', 'abcdef', 'dab', 'dabcef', 'next'],
  ['nothing known in it: the list begins anew', 'abcdef', 'xyz', 'xyz', 'p2'],
])('a first page read again: %s', (_, before, first, ids, next) => {
  expect(
    refreshed(before === null ? null : listDocument(letters(before)), leaf(letters(first))),
  ).toEqual({
    ids: letters(ids),
    next,
    count: 9,
  })
})

test('a first page that is the whole list leaves nothing behind it', () => {
  expect(refreshed(listDocument(letters('abcdef')), leaf(letters('ab'), null))).toEqual({
    ids: ['a', 'b'],
    next: null,
    count: 9,
  })
})

test('a further page brings what slid down since only once', () => {
  expect(lengthened(listDocument(letters('abc')), leaf(letters('cde')))).toEqual({
    ids: letters('abcde'),
    next: 'p2',
    count: 9,
  })
})

test.each([
  ['begins', null, 'abcdef', 3, 'abc', 0],
  ['goes on below', 'abc', 'abcdef', 5, 'abcde', 0],
  ['new ones above wait', 'abc', 'xyabcdef', 3, 'abc', 2],
  ['and keep waiting while it grows', 'abc', 'xyabcdef', 5, 'abcde', 2],
  ['what went stays while it is read', 'abc', 'acdef', 4, 'abcd', 0],
  ['nothing of it left: begins anew', 'abc', 'xyz', 3, 'xyz', 0],
])('a list while it is read: %s', (_, shown, list, limit, ids, waiting) => {
  expect(readOn(shown === null ? null : letters(shown), letters(list), limit)).toEqual({
    ids: letters(ids),
    waiting,
  })
})

test('paging a market in which rows come on top shows every row that was there, once, in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }),
      (size, arrivals) => {
        let market = Array.from({ length: size }, (_, n) => `r${n}`)
        const begun = [...market]
        const page = (from: number) =>
          leaf(market.slice(from, from + 5), from + 5 < market.length ? String(from + 5) : null)
        let known = listDocument([], null)
        known = { ...known, ...refreshed(null, page(0)) }
        let shown = readOn(null, known.ids, 5).ids
        for (const [step, more] of arrivals.entries()) {
          market = [...Array.from({ length: more }, (_, n) => `new${step}.${n}`), ...market]
          if (known.next === null) break
          known = { ...known, ...lengthened(known, page(Number(known.next))) }
          shown = readOn(shown, known.ids, shown.length + 5).ids
        }
        expect(new Set(known.ids).size).toBe(known.ids.length)
        expect(shown).toEqual(begun.slice(0, shown.length))
      },
    ),
  )
})
