import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { person, type Person } from '../../../tests/server/support/people.ts'
import { testServer, type TestServer } from '../../../tests/server/support/server.ts'
import { DEFAULTS, isQuiet, quietEnds } from './preferences.ts'

let server: TestServer
let ama: Person
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  ama = await person(server, 'ama')
})

const at = 'preferences/notifications/'

describe('[S3.15] [S7.48] [API 12.2] preferences', () => {
  test('are the defaults until changed, and a change merges', async () => {
    expect((await ama.get(at)).body).toEqual(DEFAULTS)
    const changed = await ama.post(at, {
      messages: { push: false },
      quiet_hours: { enabled: '1', start: '21:30' },
    })
    const expected = {
      ...DEFAULTS,
      messages: { in_app: true, push: false, email: false },
      quiet_hours: { enabled: true, start: '21:30', end: '06:00', timezone: 'Africa/Ouagadougou' },
    }
    expect([changed.status, changed.body]).toEqual([200, expected])
    expect((await ama.post(at, { preferences: { system: { email: false } } })).body.system).toEqual(
      { in_app: true, push: true, email: false },
    )
    expect((await ama.get(at)).body).toEqual({
      ...expected,
      system: { in_app: true, push: true, email: false },
    })
    expect((await ama.post(at, {})).status).toBe(200)
  })

  test.each([
    ['equal times', { quiet_hours: { start: '06:00' } }, 'quiet_hours.end'],
    ['no time', { quiet_hours: { start: '24:00' } }, 'quiet_hours.start'],
    ['no place', { quiet_hours: { timezone: 'Africa/Nowhere' } }, 'quiet_hours.timezone'],
    ['an offset', { quiet_hours: { timezone: '+02:00' } }, 'quiet_hours.timezone'],
    ['a list for an object', { messages: [] }, 'messages'],
    ['a list for all of them', { preferences: [] }, 'preferences'],
    ['no switch', { messages: { push: 'maybe' } }, 'messages.push'],
    ['no object', { messages: true }, 'messages'],
  ])('%s is invalid and changes nothing', async (_, body, field) => {
    const answer = await ama.post(at, body)
    expect([answer.status, Object.keys(answer.body.field_codes)]).toEqual([400, [field]])
    expect((await ama.get(at)).body).toEqual(DEFAULTS)
  })

  test('equal times are refused with a text', async () => {
    expect((await ama.post(at, { quiet_hours: { end: '22:00' } })).body.detail).toBe(
      'Les heures doivent être différentes.',
    )
    expect((await ama.get(at, { Authorization: '' })).status).toBe(401)
  })
})

const hours = { enabled: true, start: '22:00', end: '06:00', timezone: 'Africa/Ouagadougou' }
const instant = (time: string) => new Date(`2026-11-21T${time}:30Z`)

test.each([
  ['21:59', false],
  ['22:00', true],
  ['23:30', true],
  ['05:59', true],
  ['06:00', false],
  ['12:00', false],
])('[API 12.2] at %s a night of 22:00 to 06:00 is quiet: %s', (time, quiet) => {
  expect(isQuiet(hours, instant(time))).toBe(quiet)
  expect(isQuiet({ ...hours, enabled: false }, instant(time))).toBe(false)
})

test('[API 12.2] quiet hours use the user’s time zone and end to the minute', () => {
  const noon = { ...hours, start: '12:00', end: '14:00' }
  expect([isQuiet(noon, instant('13:59')), isQuiet(noon, instant('14:00'))]).toEqual([true, false])
  expect(isQuiet({ ...noon, timezone: 'Europe/Paris' }, instant('11:30'))).toBe(true)
  expect(quietEnds(hours, instant('23:30')).toISOString()).toBe('2026-11-22T06:00:00.000Z')
  expect(quietEnds(hours, instant('05:00')).toISOString()).toBe('2026-11-21T06:00:00.000Z')
  expect(quietEnds({ ...hours, timezone: 'Europe/Paris' }, instant('23:30')).toISOString()).toBe(
    '2026-11-22T05:00:00.000Z',
  )
})
