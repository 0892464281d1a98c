import { describe, expect, test } from 'vitest'
import { DEFAULTS } from '../notification/preferences.ts'
import { decide, type Pending } from './decide.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (minutes: number) => now.getTime() - minutes * 60_000
const push = (eventId: string, more: Partial<Pending> = {}): Pending => ({
  eventId,
  group: 'messages',
  events: 1,
  runAt: now,
  quiet: false,
  stale: false,
  read: false,
  ...more,
})
const quietNow = {
  ...DEFAULTS,
  quiet_hours: { ...DEFAULTS.quiet_hours, enabled: true, start: '11:00', end: '13:30' },
}

describe('[API 13.2] decisions about pushes', () => {
  test('are sent in their order', () => {
    const decided = decide([push('a'), push('b')], DEFAULTS, [], now)
    expect(decided).toMatchObject({
      send: [
        { eventId: 'a', events: 1 },
        { eventId: 'b', events: 1 },
      ],
      wait: [],
      summary: null,
    })
    expect(decided.sentAt).toEqual([now.getTime(), now.getTime()])
  })

  test('read, expired and disabled ones are dropped', () => {
    const preferences = { ...DEFAULTS, system: { ...DEFAULTS.system, push: false } }
    const decided = decide(
      [
        push('read', { read: true }),
        push('old', { stale: true }),
        push('off', { group: 'system' }),
      ],
      preferences,
      [],
      now,
    )
    expect(decided).toMatchObject({ send: [], wait: [], drop: ['read', 'old', 'off'], sentAt: [] })
  })

  test('[API 12.2] during quiet hours they wait for the end and become one summary', () => {
    const held = decide([push('a'), push('b')], quietNow, [], now)
    expect(held).toMatchObject({
      send: [],
      summary: null,
      wait: [
        { eventId: 'a', quiet: true, runAt: new Date('2026-11-21T13:30:00Z') },
        { eventId: 'b', quiet: true },
      ],
    })
    const kept = [
      push('a', { quiet: true }),
      push('b', { quiet: true }),
      push('c', { quiet: true, read: true }),
    ]
    expect(decide(kept, DEFAULTS, [], now)).toMatchObject({
      send: [],
      summary: { eventId: 'b', events: 2 },
      wait: [],
    })
    expect(decide([push('a', { quiet: true, read: true })], DEFAULTS, [], now)).toMatchObject({
      send: [],
      summary: null,
      drop: ['a'],
    })
  })

  test('[D114] the eleventh in ten minutes waits ten minutes and represents all later ones', () => {
    const ten = Array.from({ length: 10 }, (_, n) => ago(9 - n * 0.5))
    const first = decide([push('k')], DEFAULTS, ten, now)
    const until = new Date(ago(4.5) + 600_000)
    expect(first).toMatchObject({
      send: [],
      wait: [{ eventId: 'k', events: 1, runAt: until, quiet: false }],
      drop: [],
    })
    const second = decide([push('k', { runAt: until }), push('l'), push('m')], DEFAULTS, ten, now)
    expect(second).toMatchObject({
      send: [],
      wait: [{ eventId: 'm', events: 3, runAt: until }],
      drop: ['k', 'l'],
    })
    const due = decide([push('m', { events: 3, runAt: until })], DEFAULTS, ten, until)
    expect(due).toMatchObject({ send: [{ eventId: 'm', events: 3 }], wait: [], drop: ['m'] })
  })

  test('[D114] of twelve at once ten are sent and one waits for the rest', () => {
    const decided = decide(
      Array.from({ length: 12 }, (_, n) => push(`${n}`)),
      DEFAULTS,
      [],
      now,
    )
    expect(decided.send).toHaveLength(10)
    expect(decided.wait).toMatchObject([{ eventId: '11', events: 2 }])
  })
})
