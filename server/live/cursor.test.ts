import { expect, test } from 'vitest'
import { behind, readCursor, writeCursor, type CursorScope } from './cursor.ts'

const now = new Date('2026-11-21T08:00:00.000Z')
const later = (days: number) => new Date(now.getTime() + days * 86_400_000)
const scope: CursorScope = {
  list: 'conversations',
  user: '019a0000-0000-7000-8000-000000000001',
  epoch: 'abcd1234',
}

test('[API 3] a cursor is read back as its position and has at most 200 characters', () => {
  const cursor = writeCursor(scope, { change: 1841, id: scope.user }, now)
  expect(readCursor(cursor, scope, later(29))).toEqual({ after: { change: 1841, id: scope.user } })
  expect(cursor).toMatch(/^[\w-]{1,200}$/)
})

test.each([
  ['another list', (c: string) => readCursor(c, { ...scope, list: 'notifications' }, now)],
  ['another person', (c: string) => readCursor(c, { ...scope, user: 'somebody' }, now)],
  ['a restored database', (c: string) => readCursor(c, { ...scope, epoch: 'other' }, now)],
  ['more than 30 days', (c: string) => readCursor(c, scope, later(31))],
  ['rubbish', () => readCursor('b3Nx.1841', scope, now)],
  ['nothing', () => readCursor('', scope, now)],
  ['a very long text', (c: string) => readCursor(c.repeat(9), scope, now)],
  ['a negative place', () => readCursor(writeCursor(scope, behind(-1), now), scope, now)],
  ['an instant 31 days ago', () => readCursor(later(-31).toISOString(), scope, now)],
])('[API 3] %s is unknown', (_, read) => {
  expect(read(writeCursor(scope, behind(7), now))).toBeNull()
})

test.each([
  '2026-11-21T07:00:00Z',
  '2026-11-21T07:00:00.000Z',
  '2026-11-21T09:00:00+02:00',
  '2026-11-21T09:00:00 02:00',
])('[API 3] the instant %s begins ten seconds earlier', (text) =>
  expect(readCursor(text, scope, now)).toEqual({ since: new Date('2026-11-21T06:59:50.000Z') }),
)
