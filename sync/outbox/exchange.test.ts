import { expect, test } from 'vitest'
import type { HttpReply } from '../network/http.ts'
import { commands } from '../nouns/commands.ts'
import { queue, queued } from './accept.ts'
import { type OutboxState, emptyState, withMeta } from './state.ts'
import { exchangeOne } from './exchange.ts'
import { later } from './transitions.ts'

const ID = '00000000-0000-7000-8000-00000000000a'
const RULE = commands['message.send']
const NOW = 1_780_000_000_000

/** A message that was tried as "one" and then edited to "two". */
function changed(keysKept: boolean): OutboxState {
  const { state } = queue(
    withMeta(emptyState, { keysKept }),
    { id: ID, name: 'message.send', payload: { conversation: 'C1', content: 'two' } },
    RULE,
    'U1',
    NOW,
  )
  const doubtful = later(state, ID, 'weak', 0, { reached: false, uncertain: true })
  return {
    ...doubtful,
    entries: doubtful.entries.map((entry) => ({
      ...entry,
      tried: [{ payload: { conversation: 'C1', content: 'one' }, at: NOW }],
    })),
  }
}

/**
 * Runs the exchange against a server that has `stored` under the key; `requested` lists the requests it
 * received.
 */
async function exchanged(
  stored: string | null,
  keysKept: boolean,
  refuses = false,
  other?: unknown,
): Promise<{
  readonly requested: readonly string[]
  readonly reply: HttpReply
  readonly sent: unknown
}> {
  const state = changed(keysKept)
  const [entry] = state.entries
  const one = entry && queued(entry)
  if (!entry || !one) throw new Error('no entry')
  const requested: string[] = []
  const message = (content: string) => ({
    id: 'M1',
    conversation: 'C1',
    seq: 1,
    client_id: null,
    content,
    sender_username: 'u',
    sender_id: 'U1',
    attachment: null,
    created_at: new Date(NOW).toISOString(),
  })
  const { reply, version } = await exchangeOne(
    async ({ call, body }) => {
      const content = String(Reflect.get(Object(body), 'content'))
      requested.push(call.method === 'GET' ? 'look' : content)
      if (call.method === 'GET')
        return {
          kind: 'done',
          answer: other ?? { results: stored === null ? [] : [message(stored)] },
        }
      if (refuses)
        return { kind: 'refused', status: 400, problem: { detail: '', code: 'validation_error' } }
      if (keysKept && stored !== null && stored !== content)
        return {
          kind: 'refused',
          status: 422,
          problem: { detail: '', code: 'idempotency_key_reused' },
        }
      return { kind: 'done', answer: message(content) }
    },
    RULE,
    entry,
    one,
    state,
    () => NOW,
  )
  return { requested, reply, sent: Reflect.get(Object(version.payload), 'content') }
}

test.each([
  ['nothing arrived: the edited text is sent', null, true, ['two'], 'two'],
  ['the edited text had arrived', 'two', true, ['two'], 'two'],
  [
    'the older text had arrived: it is answered again, the edit is not sent',
    'one',
    true,
    ['two', 'one'],
    'one',
  ],
  ['keys are ignored, and the older one is found', 'one', false, ['look'], 'one'],
  ['keys are ignored, and nothing is found', null, false, ['look', 'two'], 'two'],
])('edited with unknown outcome, %s', async (_case, stored, keysKept, requested, sent) => {
  const result = await exchanged(stored, keysKept)
  expect(result.requested).toEqual(requested)
  expect(result.sent).toBe(sent)
  expect(result.reply.kind).toBe('done')
})

test.each([
  ['had arrived at a server that only echoes keys: it is found', 'one', 'done', 'one'],
  ['had not arrived: it stays refused', null, 'refused', 'two'],
])('[API 19] what is refused in doubt and %s', async (_case, stored, kind, sent) => {
  expect(await exchanged(stored, true, true)).toMatchObject({
    requested: ['two', 'look'],
    reply: { kind },
    sent,
  })
})

test('[API 19] a lookup that is answered with other JSON is repeated later, and nothing is sent', async () => {
  expect(await exchanged('one', false, false, { ok: true })).toMatchObject({
    requested: ['look'],
    reply: { kind: 'later', reached: false },
  })
})
