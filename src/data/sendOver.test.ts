import type { Command } from '#schema/port/command'
import type { EnginePort } from '#schema/port/engine'
import type { SendResult } from '#schema/port/outcome'
import { expect, test, vi } from 'vitest'
import { sendOver } from './sendOver.ts'

const command: Command = {
  id: '00000000-0000-7000-8000-000000000001',
  name: 'listing.save',
  payload: { listing: 'L1', saved: true },
}
const done: SendResult = { kind: 'done' }
const never = new Promise<never>(() => undefined)

test('a failing engine is logged once, without retries', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const send = vi.fn<EnginePort['send']>(async () => {
    throw new Error('no engine')
  })
  expect(
    await sendOver(
      command,
      () => ({ port: { send }, gone: never }),
      () => 'awa',
    ),
  ).toEqual({ kind: 'unstorable', why: 'broken' })
  expect(send).toHaveBeenCalledTimes(1)
})

test('if a worker dies halfway, the next one gets the command with the same id', async () => {
  const dead = {
    port: { send: vi.fn<EnginePort['send']>(() => never) },
    gone: Promise.reject(new Error('replaced')),
  }
  const next = {
    port: { send: vi.fn<EnginePort['send']>(() => Promise.resolve(done)) },
    gone: never,
  }
  const links = [dead, next]
  expect(
    await sendOver(
      command,
      () => links.shift() ?? next,
      () => 'awa',
    ),
  ).toEqual(done)
  expect(next.port.send.mock.calls).toEqual([[command]])
})

test('a command is not sent to the next worker after a change of user', async () => {
  let who = 'awa'
  const dead = {
    port: { send: vi.fn<EnginePort['send']>(() => never) },
    gone: Promise.resolve().then(() => ((who = 'issa'), Promise.reject(new Error('replaced')))),
  }
  const next = {
    port: { send: vi.fn<EnginePort['send']>(() => Promise.resolve(done)) },
    gone: never,
  }
  const links = [dead, next]
  expect(
    await sendOver(
      command,
      () => links.shift() ?? next,
      () => who,
    ),
  ).toEqual({ kind: 'refused', code: 'not_authenticated', field: null })
  expect(next.port.send).not.toHaveBeenCalled()
})
