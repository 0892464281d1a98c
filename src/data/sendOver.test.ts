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

test('an engine that fails is told about once, and is not asked again and again', async () => {
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

test('a worker that dies on the way gives way to the next, under the same id', async () => {
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

test('what one person wrote is not told to the next worker once another person is in', async () => {
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
