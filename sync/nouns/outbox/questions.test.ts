import { queue } from '../../outbox/accept.ts'
import { emptyState } from '../../outbox/state.ts'
import { expect, test } from 'vitest'
import { commands } from '../commands.ts'
import { withReasons } from './questions.ts'

const ids = [1, 2].map((n) => `00000000-0000-7000-8000-00000000000${n}`)
const entries = ids.reduce(
  (state, id) =>
    queue(
      state,
      { id, name: 'message.send', payload: { conversation: 'C1', content: id } },
      commands['message.send'],
      'U1',
      1,
    ).state,
  emptyState,
).entries

test.each([
  ['offline', ['offline', 'offline']],
  ['captive', ['captive', 'captive']],
  ['online', [null, 'behind']],
  ['weak', [null, 'behind']],
] as const)('%s: %j', (network, reasons) => {
  expect(withReasons(entries, network).map(({ why }) => why)).toEqual(reasons)
})

test('what waits for Wi-Fi says so, and what the server said stays said', () => {
  expect(
    withReasons(
      entries.map((entry) => ({ ...entry, lane: entry.id, wifiOnly: true })),
      'online',
    ).map(({ why }) => why),
  ).toEqual(['wifi', 'wifi'])
  expect(
    withReasons(
      entries.map((entry) => ({ ...entry, lane: entry.id, why: 'limit' as const })),
      'online',
    ).map(({ why }) => why),
  ).toEqual(['limit', 'limit'])
})
