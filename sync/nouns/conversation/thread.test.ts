import { expect, test } from 'vitest'
import type { MessageDocument } from '#schema/disk/documents'
import { shownOnce } from './thread.ts'

const NOON = Date.parse('2026-06-01T12:00:00.000Z')

/** `id`: the local id; a copy that was not written here has the server's id. */
function own(
  seq: number,
  id: string,
  minutes: number,
  more: Partial<MessageDocument> = {},
): MessageDocument {
  return {
    id,
    serverId: `M${seq}`,
    conversation: 'C1',
    seq,
    client_id: null,
    content: 'Encore là ?',
    sender_username: 'awa',
    sender_id: 'U-awa',
    attachment: null,
    created_at: new Date(NOON + minutes * 60_000).toISOString(),
    order: seq,
    newest: -seq,
    state: 'sent',
    ...more,
  }
}

const shown = (...rows: readonly MessageDocument[]) =>
  shownOnce(rows, 'U-awa').map(({ serverId }) => serverId)

test('two copies of one message on a server without keys are shown once, whichever was answered [API 19]', () => {
  expect(shown(own(2, 'here', 1), own(1, 'M1', 0))).toEqual(['M2'])
  expect(shown(own(2, 'M2', 1), own(1, 'here', 0))).toEqual(['M1'])
})

test('what was written twice is shown twice', () => {
  expect(shown(own(2, 'here too', 1), own(1, 'here', 0))).toEqual(['M2', 'M1'])
  expect(shown(own(2, 'here', 11), own(1, 'M1', 0))).toEqual(['M2', 'M1'])
  expect(shown(own(2, 'here', 1), own(1, 'M1', 0, { sender_id: 'U-issa' }))).toEqual(['M2', 'M1'])
  expect(shown(own(2, 'here', 1), own(1, 'M1', 0, { content: 'Et là ?' }))).toEqual(['M2', 'M1'])
})
