import { conversationsNeed } from '#sync/nouns/conversation/need'
import { Refresh } from '#sync/inbox/refresh'
import { afterEach, expect, test } from 'vitest'
import { Reader } from './reader.ts'

const open: Reader[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A signed-in device whose server has no conversations. */
async function reader(): Promise<Reader> {
  const made = await Reader.open(
    () => ({ body: { count: 0, next: null, results: [], cursor: 'c1' } }),
    { me: 'U1' },
  )
  open.push(made)
  return made
}

test('[S4.09] a catch-up is answered even when another reader of the same need leaves meanwhile', async () => {
  const phone = await reader()
  phone.watch('conversations.list', { search: '' })
  const caughtUp = phone.refresh.again([conversationsNeed])
  phone.unwatch('conversations.list')
  expect(await caughtUp).toBe(true)
})

test('[S9.15] a refresh requested by a hidden page runs once when it is visible again, for its requester', async () => {
  const phone = await reader()
  const due: (() => void)[] = []
  const later = (_ms: number, what: () => void) => {
    due.push(what)
    return () => undefined
  }
  const refresh = new Refresh({
    tools: () => phone.tools,
    store: phone.store,
    outside: { now: phone.tools.now, setTimer: later, random: () => 0 },
    failed: (error) => phone.failures.push(error),
  })
  refresh.allow(false)
  for (let n = 0; n < 3; n++) refresh.schedule(conversationsNeed)
  for (const what of due.splice(0)) what()
  refresh.schedule(conversationsNeed)
  expect([due.length, phone.asked.length]).toEqual([0, 0])
  refresh.allow(true)
  await expect.poll(() => phone.asked.length).toBe(1)
  refresh.allow(false)
  refresh.schedule(conversationsNeed)
  for (const what of due.splice(0)) what()
  phone.who.next({ me: 'U2', username: 'U2', language: 'fr' })
  refresh.allow(true)
  await phone.refresh.again([conversationsNeed])
  expect(phone.asked).toHaveLength(2)
  expect(phone.failures).toEqual([])
})

test('when one of two readers of the same question leaves, the other is still refreshed', async () => {
  const phone = await reader()
  const all = phone.watch('conversations.list', { search: '' })
  phone.watch('conversations.list', { search: 'moto' }, 'found')
  await expect.poll(() => all()?.status).toBe('ready')
  phone.unwatch('found')
  phone.goOffline()
  phone.skip = 61_000
  phone.goOnline()
  await expect.poll(() => phone.asked.length).toBe(2)
})

test('[S4.23] data fetched while the clock was ahead is fetched again once the clock is right', async () => {
  const phone = await reader()
  phone.skip = 86_400_000
  const all = phone.watch('conversations.list', { search: '' })
  await expect.poll(() => all()?.status).toBe('ready')
  phone.goOffline()
  phone.skip = 0
  phone.goOnline()
  await expect.poll(() => phone.asked.length).toBe(2)
})
