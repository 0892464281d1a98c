import type { ListDocument } from '#schema/disk/documents'
import { VISITOR_TEXT_MS } from '#schema/limits'
import { createEngine } from '#sync/engine'
import { nouns } from '#sync/signed-in'
import { visitorNouns } from '#sync/nouns/visitor'
import { writes } from '#sync/writes'
import { emptyState } from '#sync/outbox/state'
import { signedOut } from '#sync/outbox/transitions'
import { expect, test } from 'vitest'
import { EngineHarness } from './harness.ts'
import { deviceDbOf, seenOf, tableOf } from './model/disk.ts'
import { Realm } from './model/realm.ts'
import { memoryStore } from './model/store.ts'

test('[S4.05] waiting entries are counted as soon as the app opens, so signing out then shows a warning', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  await harness.write(tab, 'Encore là ?')
  harness.device.kill(tab)
  const again = harness.device.open(token, (note) => void harness.notes.push(note))
  const result = await harness.when(again.engine.ask({ name: 'stats', params: {} }))
  expect(result.kind === 'done' && result.answer.outbox.waiting).toBe(1)
})

test('[SYNC 2] a start with the stored session writes nothing to the outbox, unless entries wait for it', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  const { change, sessions } = await tab.engine.outbox.load()
  const stored = harness.device.disk.state
  await harness.when(sessions.resume('U-awa', token, undefined))
  expect(harness.device.disk.state.meta).toBe(stored.meta)
  harness.network.become('gone')
  await harness.write(tab, 'Encore là ?')
  await harness.when(change((state) => ({ state: signedOut(state, 'U-awa', token), result: null })))
  await harness.when(sessions.remember(token, { id: 'U-awa', username: 'U-awa' }))
  await harness.when(sessions.resume('U-awa', token, undefined))
  expect(harness.states()).toEqual(['U-awa waiting'])
  expect(harness.device.disk.state.meta.lapsed).toBe('')
})

test('[S4.06] after signing in again while the old session ended during a delivery, entries are sent', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  await harness.write(tab, 'Encore là ?')
  harness.server.revoke('U-awa')
  // Mark the entries as a delivery does on a 401, just before the sign-in is stored.
  const outbox = await tab.engine.outbox.load()
  await harness.when(
    outbox.change((state) => ({ state: signedOut(state, 'U-awa', token), result: null })),
  )
  const next = harness.server.signIn('U-awa')
  await harness.when(tab.engine.session.remember(next, { id: 'U-awa', username: 'U-awa' }))
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.enter(tab, next)
  await harness.world.run(20_000)
  expect(harness.sent()).toEqual(['Encore là ?'])
})

test('an entry removed right after the start is gone, and another person’s is not reported as removed', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  await harness.write(tab, 'one')
  await harness.write(tab, 'two', 'L2')
  // An entry in flight cannot be removed.
  await harness.world.run(5000)
  harness.device.kill(tab)
  const [one, two] = harness.device.disk.state.entries.map(({ id }) => id)
  const visitor = harness.device.open(null, () => undefined)
  expect(
    await harness.when(visitor.engine.ask({ name: 'outbox.remove', params: { id: two ?? '' } })),
  ).toMatchObject({ kind: 'refused', problem: { code: 'not_found' } })
  harness.device.kill(visitor)
  const again = harness.device.open(token, () => undefined)
  // Without a network nothing goes in flight again, whichever tab is faster.
  void again.engine.ask({
    name: 'page.state',
    params: {
      visible: true,
      online: false,
      saveData: false,
      wifi: null,
      language: 'fr',
      messages: false,
    },
  })
  expect(
    await harness.when(again.engine.ask({ name: 'outbox.remove', params: { id: one ?? '' } })),
  ).toMatchObject({ kind: 'done' })
  await harness.world.run(1000)
  expect(harness.device.disk.state.entries.map(({ id }) => id)).toEqual([two])
})

test('[S4.06][S9.11] an ended session is reported once within 2 s, and entries wait for the same person', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  harness.device.show(tab, true)
  await harness.write(tab, 'one')
  await harness.write(tab, 'two', 'L2')
  harness.server.revoke('U-awa')
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.world.run(20_000)
  expect(harness.notes.filter(({ kind }) => kind === 'session-ended')).toEqual([
    { kind: 'session-ended', token },
  ])
  expect(harness.states()).toEqual(['U-awa signed-out', 'U-awa signed-out'])
  await harness.signIn(tab, 'U-awa')
  await harness.world.run(20_000)
  expect(harness.sent().toSorted()).toEqual(['one', 'two'])
})

test('[S4.05] drafts are answered with their owner from the first frame on', async () => {
  const harness = new EngineHarness()
  const token = await harness.signIn(await harness.open(), 'U-awa')
  const owners: unknown[] = []
  const again = harness.device.open(token, (note) => {
    if (note.kind === 'frame') owners.push(note.frame.facts)
  })
  await harness.when(again.engine.watch('drafts', { name: 'listing.drafts', params: {} }))
  await harness.world.run(1000)
  await harness.enter(again, null)
  const next = await harness.signIn(again, 'U-issa')
  await harness.enter(again, next)
  expect(owners).toEqual([{ owner: 'U-awa' }, { owner: '' }, { owner: 'U-issa' }])
})

test('[S4.05] signing out removes the documents, keeps queued entries, and the next person gets none', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'sent')
  harness.network.become('gone')
  await harness.write(tab, 'waiting')
  const left = tab.engine.ask({ name: 'account.logout', params: {} })
  // The page does not wait: it drops the token at once, and continues as a visitor.
  const shown: number[] = []
  void tab.engine
    .setSession({ token: null, language: 'fr', sessionId: '' })
    .then(() => shown.push(tab.engine.outbox.entries.value.length))
  await harness.when(left)
  expect(shown).toEqual([0])
  expect(harness.device.documents.of('of U-awa').messages.size).toBe(0)
  expect(tab.engine.outbox.entries.value).toEqual([])
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.world.run(20_000)
  await harness.signIn(tab, 'U-issa')
  await harness.world.run(20_000)
  expect(harness.sent()).toEqual(['sent'])
  expect(harness.device.documents.of('of U-issa').messages.size).toBe(0)
  await harness.signIn(tab, 'U-awa')
  await harness.world.run(20_000)
  expect(harness.sent()).toEqual(['sent', 'waiting'])
})

const DRAFT = { fields: { title: 'Vélo' }, photos: [], listing: null }

test('[S2.38] a draft stays its writer’s, even if another tab shows it when somebody else signs in', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const [kept, fresh, late] = [harness.world.id(), harness.world.id(), harness.world.id()]
  const owners = () => [kept, fresh, late].map((id) => harness.device.disk.drafts.get(id)?.owner)
  const keep = (id: string, owner?: string) =>
    harness.when(tab.engine.ask({ name: 'draft.keepListing', params: { id, owner, ...DRAFT } }))
  await harness.signIn(tab, 'U-awa')
  await keep(kept)
  await harness.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await harness.signIn(tab, 'U-issa')
  await keep(kept)
  await keep(fresh)
  // A form that could not be saved before its person signed out.
  await keep(late, 'U-awa')
  expect(owners()).toEqual(['U-awa', 'U-issa', 'U-awa'])
})

test('deleting the account removes that person’s local data, and nobody else’s', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const leaveSomething = async (username: string): Promise<void> => {
    await harness.signIn(tab, username)
    harness.network.become('gone')
    await harness.write(tab, `of ${username}`)
    await harness.when(
      tab.engine.ask({ name: 'draft.keep', params: { key: 'message:C1', content: 'Je pa' } }),
    )
    await harness.when(
      tab.engine.ask({ name: 'draft.keepListing', params: { id: harness.world.id(), ...DRAFT } }),
    )
    harness.network.become('there')
  }
  await leaveSomething('U-issa')
  await harness.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await leaveSomething('U-awa')
  expect(
    (await harness.when(tab.engine.ask({ name: 'account.delete', params: { password: 'x' } })))
      .kind,
  ).toBe('done')
  const { state, drafts } = harness.device.disk
  expect(
    [state.entries, state.texts, [...drafts.values()]].map((rows) =>
      rows.map(({ owner }) => owner),
    ),
  ).toEqual([['U-issa'], ['U-issa'], ['U-issa']])
})

test('[S2.13] listings saved by a visitor stay on the device, and move to whoever signs in', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.when(
    tab.engine.send({
      id: harness.world.id(),
      name: 'listing.save',
      payload: { listing: 'L1', saved: true },
    }),
  )
  await harness.world.run(5000)
  expect(harness.device.documents.of('of ').saved.get('L1')?.saved).toBe(true)
  expect(tab.engine.outbox.entries.value).toEqual([])
  await harness.signIn(tab, 'U-awa')
  await harness.world.run(10_000)
  expect([...(harness.server.favourites.get('U-awa') ?? [])]).toEqual(['L1'])
})

test('[S2.13] a tab frozen while it opened gives no visitor’s listing to whoever signed out', async () => {
  for (let opened = 1; opened <= 12; opened++) {
    const harness = new EngineHarness()
    const tab = await harness.open()
    const token = await harness.signIn(tab, 'U-awa')
    const other = harness.device.open(token, () => undefined)
    await harness.world.run(opened)
    other.realm.freeze()
    void tab.engine.ask({ name: 'account.logout', params: {} })
    await harness.enter(tab, null)
    const save = { name: 'listing.save', payload: { listing: 'L1', saved: true } } as const
    await harness.when(tab.engine.send({ id: harness.world.id(), ...save }))
    other.realm.thaw()
    await harness.world.run(5000)
    expect([opened, harness.states()]).toEqual([opened, [' signed-out']])
  }
})

test('[S5.06][S6.01] a visitor cannot write, and gets the reason', async () => {
  const harness = new EngineHarness()
  expect(await harness.write(await harness.open(), 'Bonjour')).toBe('not_authenticated')
})

test('[S5.06] an empty message is refused before it is queued', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  expect(await harness.write(tab, '   ')).toBe('message_empty')
  expect(harness.states()).toEqual([])
})

test('the owner of an unknown token is fetched, also when the network comes back later', async () => {
  const harness = new EngineHarness()
  harness.network.become('gone')
  const tab = await harness.open(harness.server.signIn('U-awa'))
  expect(await harness.write(tab, 'Bonjour')).toBe('not_authenticated')
  harness.network.become('there')
  await harness.world.run(120_000)
  expect(await harness.write(tab, 'Bonjour')).toBe('queued')
  expect(harness.sent()).toEqual(['Bonjour'])
})

test('[S4.05] a token whose owner is found late does not replace the one of who signed in meanwhile', async () => {
  const harness = new EngineHarness()
  let found = false
  harness.network.onAnswer = (what) => void (found ||= what.includes('GET auth: 200'))
  const tab = harness.device.open(harness.server.signIn('U-awa'), () => undefined)
  harness.device.show(tab, true)
  await harness.world.run(10_000, () => found)
  await harness.enter(tab, harness.server.signIn('U-issa'))
  await harness.world.run(10_000)
  expect(tab.engine.session.who.value.me).toBe('U-issa')
  expect(await harness.write(tab, 'Bonjour')).toBe('queued')
  expect([...harness.server.threads.values()].map(({ buyer }) => buyer)).toEqual(['U-issa'])
})

test('sending starts within 2 s of the proof of a network', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  harness.device.show(tab, true)
  await harness.write(tab, 'Bonjour')
  await harness.world.run(300_000)
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.world.run(2000)
  expect(harness.sent()).toEqual(['Bonjour'])
})

test('entries left by a closed app are sent at the next start, in order, once', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  harness.device.show(tab, true)
  for (const content of ['one', 'two', 'three']) await harness.write(tab, content)
  harness.device.kill(tab)
  harness.network.become('there')
  await harness.open(token)
  await harness.world.run(20_000)
  expect(harness.sent()).toEqual(['one', 'two', 'three'])
})

test('[S13.12] what a visitor typed is shown to nobody half an hour later', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.when(
    tab.engine.ask({ name: 'draft.keep', params: { key: 'listing:L1', content: 'Bonjour' } }),
  )
  expect([...tab.engine.outbox.texts.value]).toEqual([['listing:L1', 'Bonjour']])
  await harness.world.run(VISITOR_TEXT_MS)
  harness.device.kill(tab)
  const next = await harness.open()
  await harness.when(next.engine.reopened())
  expect(next.engine.outbox.texts.value.size).toBe(0)
  await harness.signIn(next, 'U-awa')
  expect(next.engine.outbox.texts.value.size).toBe(0)
  expect(harness.device.disk.state.texts).toEqual([])
})

test('[S4.06] clearing site data while signed in keeps the text being typed, and later messages are sent', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.when(
    tab.engine.ask({ name: 'draft.keep', params: { key: 'message:C1', content: 'Je passe' } }),
  )
  await harness.world.run(1000)
  harness.device.disk.state = emptyState
  await harness.when(tab.engine.reopened())
  await harness.world.run(1000)
  expect([...tab.engine.outbox.texts.value]).toEqual([['message:C1', 'Je passe']])
  await harness.write(tab, 'after')
  await harness.world.run(20_000)
  expect(harness.sent()).toEqual(['after'])
  await harness.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await harness.world.run(2000)
  await harness.when(tab.engine.reopened())
  expect(harness.device.disk.state.meta.sessions).toEqual([])
})

test('[S4.05] one person’s entry is never sent as another’s who signs in while the code still loads', async () => {
  const harness = new EngineHarness()
  const first = await harness.open()
  const issa = await harness.signIn(first, 'U-issa')
  const awa = await harness.signIn(first, 'U-awa')
  harness.device.kill(first)
  harness.network.become('gone')
  const { world, device } = harness
  const realm = new Realm(world)
  let asked = 0
  // The code for signed-in people fails to load at the start (no network), and then takes 5 s.
  const more = async () => {
    if (++asked < 3) throw new Error('no network')
    await realm.step(5000)
    return nouns
  }
  const table = tableOf(world, device.disk, realm)
  const engine = createEngine({
    outside: device.outside(realm),
    device: deviceDbOf(() => Promise.resolve(true), {
      table,
      seen: seenOf(device.disk, realm),
      drafts: () => Promise.reject(new Error('no drafts')),
    }),
    writes: () => Promise.resolve({ ...writes, tableOn: () => table }),
    store: memoryStore(device.documents, realm),
    nouns: visitorNouns,
    more,
    version: '1',
  })
  const enter = (token: string) =>
    engine.setSession({ token, language: 'fr', sessionId: 'visitor-1' })
  await harness.when(enter(awa))
  const sent = engine.send({
    id: world.id(),
    name: 'conversation.start',
    payload: { listing: 'L1', content: 'de Awa' },
  })
  await world.run(10)
  void enter(issa)
  expect(await harness.when(sent)).toEqual({
    kind: 'refused',
    code: 'not_authenticated',
    field: null,
  })
  await world.run(2000)
  expect(harness.states()).toEqual([])
})

/** Makes every write fail with a full disk, until `free` is called. */
function fill(harness: EngineHarness): { free(): void } {
  let full = true
  Object.defineProperty(harness.device.disk, 'full', { get: () => full, set() {} })
  return { free: () => (full = false) }
}

test('[S4.05] signing out on a full disk ends the session on both sides and removes the documents', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'sent')
  const room = fill(harness)
  const left = tab.engine.ask({ name: 'account.logout', params: {} })
  void tab.engine.setSession({ token: null, language: 'fr', sessionId: '' })
  expect((await harness.when(left)).kind).toBe('done')
  await harness.world.run(2000)
  expect(harness.server.knows(token)).toBe(false)
  expect(harness.device.documents.of('of U-awa').messages.size).toBe(0)
  expect(tab.engine.session.who.value.me).toBe('')
  room.free()
  await harness.world.run(20_000)
  expect(harness.device.disk.state.meta.sessions).toEqual([])
})

test('[S4.05] a session ended offline is ended on the server once online, even after a restart', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const token = await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  const left = tab.engine.ask({ name: 'account.logout', params: {} })
  void tab.engine.setSession({ token: null, language: 'fr', sessionId: '' })
  await harness.when(left)
  expect(harness.server.knows(token)).toBe(true)
  harness.device.kill(tab)
  harness.network.become('there')
  await harness.open()
  await harness.world.run(20_000)
  expect(harness.server.knows(token)).toBe(false)
  expect(harness.device.disk.state.meta.ended).toEqual([])
})

test('[S4.03] one can sign in on a full disk, and what is written once there is room is sent', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  const room = fill(harness)
  await harness.signIn(tab, 'U-awa')
  expect(tab.engine.session.who.value.me).toBe('U-awa')
  expect(await harness.write(tab, 'no room')).toBe('unstorable')
  room.free()
  await harness.world.run(10_000)
  expect(harness.device.disk.state.meta.sessions).toMatchObject([{ owner: 'U-awa' }])
  expect(await harness.write(tab, 'room')).toBe('queued')
  await harness.world.run(10_000)
  expect(harness.sent()).toEqual(['room'])
})

test('[SYNC 7] an event stored by another tab after a sign-out is no position to resume from', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'one')
  const lists = (): Map<string, ListDocument> => harness.device.documents.of('of U-awa').ownLists
  const position = lists().get('events')
  if (!position?.cursor) throw new Error('no event was stored')
  await harness.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await harness.enter(tab, null)
  expect([...lists().keys()]).toEqual([])
  lists().set('events', position)
  await harness.signIn(tab, 'U-awa')
  const [thread] = [...harness.server.threads.keys()]
  expect([...harness.device.documents.of('of U-awa').conversations.keys()]).toEqual([thread])
})
