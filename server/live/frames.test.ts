import { expect, test } from 'vitest'
import { count, countRubbish, readFrame, type Budget } from './frames.ts'
import { originAllowed } from './handshake.ts'
import { gather, readNote, writeNote } from './bus.ts'

test.each([
  ['ping', { frame: { type: 'ping' } }],
  ['{"type":"ping","ts":12}', { frame: { type: 'ping', ts: 12 } }],
  ['{"type":"resume","last_event_id":"E7"}', { frame: { type: 'resume', last_event_id: 'E7' } }],
  ['{"type":"presence","visible":true,"more":1}', { frame: { type: 'presence', visible: true } }],
  [
    '{"type":"typing","conversation":"C1","active":false}',
    { frame: { type: 'typing', conversation: 'C1', active: false } },
  ],
  ['{"type":"typing","conversation":"C1"}', { wrong: 'typing' }],
  ['{"type":"ping","ts":"soon"}', { wrong: 'ping' }],
  ['{"type":"resume","last_event_id":7}', { wrong: 'resume' }],
  ['{"type":"dance"}', 'ignored'],
  ['{}', 'ignored'],
  ['[]', 'rubbish'],
  ['null', 'rubbish'],
  ['"ping"', 'rubbish'],
  ['{', 'rubbish'],
  ['', 'rubbish'],
  [null, 'rubbish'],
])('[API 14.3] %j is %j', (data, read) => expect(readFrame(data)).toEqual(read))

test('[API 14.1] 60 frames in ten seconds are allowed, the 61st closes with 4429', () => {
  const budget: Budget = { times: [], rubbish: 0 }
  const codes = Array.from({ length: 61 }, (_, n) => count(budget, n * 160))
  expect(codes.slice(0, 60).every((code) => code === null)).toBe(true)
  expect(codes[60]).toBe(4429)
  expect(count({ times: Array.from({ length: 60 }, () => 0), rubbish: 0 }, 10_000)).toBeNull()
})

test('[API 14.1] the third frame that is no JSON object closes with 4400', () => {
  const budget: Budget = { times: [], rubbish: 0 }
  expect([countRubbish(budget), countRubbish(budget), countRubbish(budget)]).toEqual([
    null,
    null,
    4400,
  ])
})

test.each([
  [{}, true],
  [{ origin: 'https://yaar.bf' }, true],
  [{ origin: 'https://yaar.bf:8443' }, false],
  [{ origin: 'http://localhost:5173', host: 'localhost:5173' }, true],
  [{ origin: 'http://localhost:5173', host: 'localhost:8080' }, false],
  [{ origin: 'https://shop.example', host: 'shop.example:443' }, true],
  [
    { origin: 'https://shop.example', host: 'inner:8080', 'x-forwarded-host': 'shop.example' },
    true,
  ],
  [
    { origin: 'https://shop.example', host: 'inner:8080', 'x-forwarded-host': 'other.example' },
    false,
  ],
  [{ origin: 'https://allowed.example' }, true],
  [{ origin: 'null' }, false],
  [{ origin: 'rubbish', host: 'rubbish' }, false],
])('[D104] %j may connect: %s', (headers, allowed) => {
  expect(originAllowed(headers, 'https://yaar.bf', ['https://allowed.example'])).toBe(allowed)
})

test('[API 14.2] waiting notes are combined, and notes of another version are ignored', () => {
  const frame = {
    type: 'typing' as const,
    conversation: 'C1',
    from_user: { id: 'U1', username: 'ama' },
    active: true,
  }
  const typing = { kind: 'typing' as const, to: 'U2', frame }
  expect(
    gather([{ kind: 'wake', users: ['a', 'b'] }, typing, { kind: 'wake', users: ['b', 'c'] }], 2),
  ).toEqual([typing, { kind: 'wake', users: ['a', 'b'] }, { kind: 'wake', users: ['c'] }])
  expect(readNote(writeNote(typing))).toEqual(typing)
  expect([readNote('{'), readNote('{"kind":"dance"}')]).toEqual([null, null])
})
