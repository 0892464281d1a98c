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

test('[S4.09] a catch-up is answered, whoever reads the same and leaves meanwhile', async () => {
  const phone = await reader()
  phone.watch('conversations.list', { search: '' })
  const caughtUp = phone.refresh.again([conversationsNeed])
  phone.unwatch('conversations.list')
  expect(await caughtUp).toBe(true)
})

test('[S9.15] what is wished while the page is hidden is asked for once, when it is seen again; by whoever wished it', async () => {
  const phone = await reader()
  const due: (() => void)[] = []
  const later = (_ms: number, what: () => void) => {
    due.push(what)
    return () => undefined
  }
  const refresh = new Refresh({
    tools: () => phone.tools,
    store: phone.store,
    shown: () => Promise.resolve(),
    now: phone.tools.now,
    setTimer: later,
    random: () => 0,
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

test('of two who read the same, one leaves: the other is still kept fresh', async () => {
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

test('[S4.23] what was read by a clock that was ahead is read again once the clock is right', async () => {
  const phone = await reader()
  phone.skip = 86_400_000
  const all = phone.watch('conversations.list', { search: '' })
  await expect.poll(() => all()?.status).toBe('ready')
  phone.goOffline()
  phone.skip = 0
  phone.goOnline()
  await expect.poll(() => phone.asked.length).toBe(2)
})
