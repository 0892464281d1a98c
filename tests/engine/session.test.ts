import type { ListDocument } from '#schema/disk/documents'
import { Engine } from '#sync/engine'
import { nouns } from '#sync/signed-in'
import { visitorNouns } from '#sync/nouns/visitor'
import { writes } from '#sync/writes'
import { emptyState } from '#sync/outbox/state'
import { signedOut } from '#sync/outbox/transitions'
import { expect, test } from 'vitest'
import { Home } from './home.ts'
import { noMeter, seenOf, tableOf } from './model/disk.ts'
import { Realm } from './model/realm.ts'
import { MemoryStore } from './model/store.ts'

test('[S4.05] waiting entries are counted as soon as the app opens, so signing out then shows a warning', async () => {
  const home = new Home()
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  await home.write(tab, 'Encore là ?')
  home.device.kill(tab)
  const again = home.device.open(token, (note) => void home.notes.push(note))
  const result = await home.when(again.engine.ask({ name: 'stats', params: {} }))
  expect(result.kind === 'done' && result.answer.outbox.waiting).toBe(1)
})

test('[S4.06] after signing in again while the old session ended during a delivery, entries are sent', async () => {
  const home = new Home()
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  await home.write(tab, 'Encore là ?')
  home.server.revoke('U-awa')
  // Mark the entries as a delivery does on a 401, just before the sign-in is stored.
  const outbox = await tab.engine.outbox.load()
  await home.when(
    outbox.change((state) => ({ state: signedOut(state, 'U-awa', token), result: null })),
  )
  const next = home.server.signIn('U-awa')
  await home.when(tab.engine.session.remember(next, { id: 'U-awa', username: 'U-awa' }))
  home.network.become('there')
  home.device.show(tab, true)
  await home.enter(tab, next)
  await home.world.run(20_000)
  expect(home.sent()).toEqual(['Encore là ?'])
})

test('an entry removed right after the start is gone, and another person’s is not reported as removed', async () => {
  const home = new Home()
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  await home.write(tab, 'one')
  await home.write(tab, 'two', 'L2')
  // An entry in flight cannot be removed.
  await home.world.run(5000)
  home.device.kill(tab)
  const [one, two] = home.device.disk.state.entries.map(({ id }) => id)
  const visitor = home.device.open(null, () => undefined)
  expect(
    await home.when(visitor.engine.ask({ name: 'outbox.remove', params: { id: two ?? '' } })),
  ).toMatchObject({ kind: 'refused', problem: { code: 'not_found' } })
  home.device.kill(visitor)
  const again = home.device.open(token, () => undefined)
  // Without a network nothing goes in flight again, whichever tab is faster.
  again.engine.page({
    visible: true,
    online: false,
    saveData: false,
    wifi: null,
    language: 'fr',
    messages: false,
  })
  expect(
    await home.when(again.engine.ask({ name: 'outbox.remove', params: { id: one ?? '' } })),
  ).toMatchObject({ kind: 'done' })
  await home.world.run(1000)
  expect(home.device.disk.state.entries.map(({ id }) => id)).toEqual([two])
})

test('[S4.06][S9.11] an ended session is reported once within 2 s, and entries wait for the same person', async () => {
  const home = new Home()
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  home.device.show(tab, true)
  await home.write(tab, 'one')
  await home.write(tab, 'two', 'L2')
  home.server.revoke('U-awa')
  home.network.become('there')
  home.device.show(tab, true)
  await home.world.run(20_000)
  expect(home.notes.filter(({ kind }) => kind === 'session-ended')).toEqual([
    { kind: 'session-ended', token },
  ])
  expect(home.states()).toEqual(['U-awa signed-out', 'U-awa signed-out'])
  await home.signIn(tab, 'U-awa')
  await home.world.run(20_000)
  expect(home.sent().toSorted()).toEqual(['one', 'two'])
})

test('[S4.05] drafts are answered with their owner from the first frame on', async () => {
  const home = new Home()
  const token = await home.signIn(await home.open(), 'U-awa')
  const owners: unknown[] = []
  const again = home.device.open(token, (note) => {
    if (note.kind === 'frame') owners.push(note.frame.facts)
  })
  await home.when(again.engine.watch('drafts', { name: 'listing.drafts', params: {} }))
  await home.world.run(1000)
  await home.enter(again, null)
  const next = await home.signIn(again, 'U-issa')
  await home.enter(again, next)
  expect(owners).toEqual([{ owner: 'U-awa' }, { owner: '' }, { owner: 'U-issa' }])
})

test('[S4.05] signing out removes the documents, keeps queued entries, and the next person gets none', async () => {
  const home = new Home()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  await home.write(tab, 'sent')
  home.network.become('gone')
  await home.write(tab, 'waiting')
  const left = tab.engine.ask({ name: 'account.logout', params: {} })
  // The page does not wait: it drops the token at once, and continues as a visitor.
  const shown: number[] = []
  void tab.engine
    .setSession({ token: null, language: 'fr', sessionId: '' })
    .then(() => shown.push(tab.engine.outbox.entries.value.length))
  await home.when(left)
  expect(shown).toEqual([0])
  expect(home.device.documents.of('of U-awa').messages.size).toBe(0)
  expect(tab.engine.outbox.entries.value).toEqual([])
  home.network.become('there')
  home.device.show(tab, true)
  await home.world.run(20_000)
  await home.signIn(tab, 'U-issa')
  await home.world.run(20_000)
  expect(home.sent()).toEqual(['sent'])
  expect(home.device.documents.of('of U-issa').messages.size).toBe(0)
  await home.signIn(tab, 'U-awa')
  await home.world.run(20_000)
  expect(home.sent()).toEqual(['sent', 'waiting'])
})

const DRAFT = { fields: { title: 'Vélo' }, photos: [], listing: null }

test('[S2.38] a draft stays its writer’s, even if another tab shows it when somebody else signs in', async () => {
  const home = new Home()
  const tab = await home.open()
  const [kept, fresh] = [home.world.id(), home.world.id()]
  const owners = () => [kept, fresh].map((id) => home.device.disk.drafts.get(id)?.owner)
  const keep = (id: string) =>
    home.when(tab.engine.ask({ name: 'draft.keepListing', params: { id, ...DRAFT } }))
  await home.signIn(tab, 'U-awa')
  await keep(kept)
  await home.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await home.signIn(tab, 'U-issa')
  await keep(kept)
  await keep(fresh)
  expect(owners()).toEqual(['U-awa', 'U-issa'])
})

test('deleting the account removes that person’s local data, and nobody else’s', async () => {
  const home = new Home()
  const tab = await home.open()
  const leaveSomething = async (username: string): Promise<void> => {
    await home.signIn(tab, username)
    home.network.become('gone')
    await home.write(tab, `of ${username}`)
    await home.when(
      tab.engine.ask({ name: 'draft.keep', params: { key: 'message:C1', content: 'Je pa' } }),
    )
    await home.when(
      tab.engine.ask({ name: 'draft.keepListing', params: { id: home.world.id(), ...DRAFT } }),
    )
    home.network.become('there')
  }
  await leaveSomething('U-issa')
  await home.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await leaveSomething('U-awa')
  expect(
    (await home.when(tab.engine.ask({ name: 'account.delete', params: { password: 'x' } }))).kind,
  ).toBe('done')
  const { state, drafts } = home.device.disk
  expect(
    [state.entries, state.texts, [...drafts.values()]].map((rows) =>
      rows.map(({ owner }) => owner),
    ),
  ).toEqual([['U-issa'], ['U-issa'], ['U-issa']])
})

test('[S2.13] listings saved by a visitor stay on the device, and move to whoever signs in', async () => {
  const home = new Home()
  const tab = await home.open()
  await home.when(
    tab.engine.send({
      id: home.world.id(),
      name: 'listing.save',
      payload: { listing: 'L1', saved: true },
    }),
  )
  await home.world.run(5000)
  expect(home.device.documents.of('of ').saved.get('L1')?.saved).toBe(true)
  expect(tab.engine.outbox.entries.value).toEqual([])
  await home.signIn(tab, 'U-awa')
  await home.world.run(10_000)
  expect([...(home.server.favourites.get('U-awa') ?? [])]).toEqual(['L1'])
})

test('[S2.13] a tab frozen while it opened gives no visitor’s listing to whoever signed out', async () => {
  for (let opened = 1; opened <= 12; opened++) {
    const home = new Home()
    const tab = await home.open()
    const token = await home.signIn(tab, 'U-awa')
    const other = home.device.open(token, () => undefined)
    await home.world.run(opened)
    other.realm.freeze()
    void tab.engine.ask({ name: 'account.logout', params: {} })
    await home.enter(tab, null)
    const save = { name: 'listing.save', payload: { listing: 'L1', saved: true } } as const
    await home.when(tab.engine.send({ id: home.world.id(), ...save }))
    other.realm.thaw()
    await home.world.run(5000)
    expect([opened, home.states()]).toEqual([opened, [' signed-out']])
  }
})

test('[S5.06][S6.01] a visitor cannot write, and gets the reason', async () => {
  const home = new Home()
  expect(await home.write(await home.open(), 'Bonjour')).toBe('not_authenticated')
})

test('[S5.06] an empty message is refused before it is queued', async () => {
  const home = new Home()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  expect(await home.write(tab, '   ')).toBe('message_empty')
  expect(home.states()).toEqual([])
})

test('the owner of an unknown token is fetched, also when the network comes back later', async () => {
  const home = new Home()
  home.network.become('gone')
  const tab = await home.open(home.server.signIn('U-awa'))
  expect(await home.write(tab, 'Bonjour')).toBe('not_authenticated')
  home.network.become('there')
  await home.world.run(120_000)
  expect(await home.write(tab, 'Bonjour')).toBe('queued')
  expect(home.sent()).toEqual(['Bonjour'])
})

test('[S4.05] a token whose owner is found late does not replace the one of who signed in meanwhile', async () => {
  const home = new Home()
  let found = false
  home.network.onAnswer = (what) => void (found ||= what.includes('GET auth: 200'))
  const tab = home.device.open(home.server.signIn('U-awa'), () => undefined)
  home.device.show(tab, true)
  await home.world.run(10_000, () => found)
  await home.enter(tab, home.server.signIn('U-issa'))
  await home.world.run(10_000)
  expect(tab.engine.session.who.value.me).toBe('U-issa')
  expect(await home.write(tab, 'Bonjour')).toBe('queued')
  expect([...home.server.threads.values()].map(({ buyer }) => buyer)).toEqual(['U-issa'])
})

test('sending starts within 2 s of the proof of a network', async () => {
  const home = new Home()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  home.device.show(tab, true)
  await home.write(tab, 'Bonjour')
  await home.world.run(300_000)
  home.network.become('there')
  home.device.show(tab, true)
  await home.world.run(2000)
  expect(home.sent()).toEqual(['Bonjour'])
})

test('entries left by a closed app are sent at the next start, in order, once', async () => {
  const home = new Home()
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  home.device.show(tab, true)
  for (const content of ['one', 'two', 'three']) await home.write(tab, content)
  home.device.kill(tab)
  home.network.become('there')
  await home.open(token)
  await home.world.run(20_000)
  expect(home.sent()).toEqual(['one', 'two', 'three'])
})

test('[S4.06] clearing site data while signed in keeps the text being typed, and later messages are sent', async () => {
  const home = new Home()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  await home.when(
    tab.engine.ask({ name: 'draft.keep', params: { key: 'message:C1', content: 'Je passe' } }),
  )
  await home.world.run(1000)
  home.device.disk.state = emptyState
  await home.when(tab.engine.reopened())
  await home.world.run(1000)
  expect([...tab.engine.outbox.texts.value]).toEqual([['message:C1', 'Je passe']])
  await home.write(tab, 'after')
  await home.world.run(20_000)
  expect(home.sent()).toEqual(['after'])
  await home.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await home.world.run(2000)
  await home.when(tab.engine.reopened())
  expect(home.device.disk.state.meta.sessions).toEqual([])
})

test('[S4.05] one person’s entry is never sent as another’s who signs in while the code still loads', async () => {
  const home = new Home()
  const first = await home.open()
  const issa = await home.signIn(first, 'U-issa')
  const awa = await home.signIn(first, 'U-awa')
  home.device.kill(first)
  home.network.become('gone')
  const { world, device } = home
  const realm = new Realm(world)
  let asked = 0
  // The code for signed-in people fails to load at the start (no network), and then takes 5 s.
  const more = async () => {
    if (++asked < 3) throw new Error('no network')
    await realm.step(5000)
    return nouns
  }
  const engine = new Engine({
    outside: device.outside(realm),
    hasWrites: () => Promise.resolve(true),
    writes: () => Promise.resolve({ ...writes, table: tableOf(world, device.disk, realm) }),
    seen: seenOf(device.disk, realm),
    meter: noMeter,
    store: new MemoryStore(device.documents, realm),
    nouns: visitorNouns,
    more,
    drafts: () => Promise.reject(new Error('no drafts')),
    version: '1',
  })
  const enter = (token: string) =>
    engine.setSession({ token, language: 'fr', sessionId: 'visitor-1' })
  await home.when(enter(awa))
  const sent = engine.send({
    id: world.id(),
    name: 'conversation.start',
    payload: { listing: 'L1', content: 'de Awa' },
  })
  await world.run(10)
  void enter(issa)
  expect(await home.when(sent)).toEqual({ kind: 'refused', code: 'not_authenticated', field: null })
  await world.run(2000)
  expect(home.states()).toEqual([])
})

/** Makes every write fail with a full disk, until `free` is called. */
function fill(home: Home): { free(): void } {
  let full = true
  Object.defineProperty(home.device.disk, 'full', { get: () => full, set() {} })
  return { free: () => (full = false) }
}

test('[S4.05] signing out on a full disk ends the session on both sides and removes the documents', async () => {
  const home = new Home()
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  await home.write(tab, 'sent')
  const room = fill(home)
  const left = tab.engine.ask({ name: 'account.logout', params: {} })
  void tab.engine.setSession({ token: null, language: 'fr', sessionId: '' })
  expect((await home.when(left)).kind).toBe('done')
  await home.world.run(2000)
  expect(home.server.knows(token)).toBe(false)
  expect(home.device.documents.of('of U-awa').messages.size).toBe(0)
  expect(tab.engine.session.who.value.me).toBe('')
  room.free()
  await home.world.run(20_000)
  expect(home.device.disk.state.meta.sessions).toEqual([])
})

test('[S4.05] a session ended offline is ended on the server once online, even after a restart', async () => {
  const home = new Home()
  const tab = await home.open()
  const token = await home.signIn(tab, 'U-awa')
  home.network.become('gone')
  const left = tab.engine.ask({ name: 'account.logout', params: {} })
  void tab.engine.setSession({ token: null, language: 'fr', sessionId: '' })
  await home.when(left)
  expect(home.server.knows(token)).toBe(true)
  home.device.kill(tab)
  home.network.become('there')
  await home.open()
  await home.world.run(20_000)
  expect(home.server.knows(token)).toBe(false)
  expect(home.device.disk.state.meta.ended).toEqual([])
})

test('[S4.03] one can sign in on a full disk, and what is written once there is room is sent', async () => {
  const home = new Home()
  const tab = await home.open()
  const room = fill(home)
  await home.signIn(tab, 'U-awa')
  expect(tab.engine.session.who.value.me).toBe('U-awa')
  expect(await home.write(tab, 'no room')).toBe('unstorable')
  room.free()
  await home.world.run(10_000)
  expect(home.device.disk.state.meta.sessions).toMatchObject([{ owner: 'U-awa' }])
  expect(await home.write(tab, 'room')).toBe('queued')
  await home.world.run(10_000)
  expect(home.sent()).toEqual(['room'])
})

test('[SYNC 7] an event stored by another tab after a sign-out is no position to resume from', async () => {
  const home = new Home()
  const tab = await home.open()
  await home.signIn(tab, 'U-awa')
  await home.write(tab, 'one')
  const lists = (): Map<string, ListDocument> => home.device.documents.of('of U-awa').ownLists
  const position = lists().get('events')
  if (!position?.cursor) throw new Error('no event was stored')
  await home.when(tab.engine.ask({ name: 'account.logout', params: {} }))
  await home.enter(tab, null)
  expect([...lists().keys()]).toEqual([])
  lists().set('events', position)
  await home.signIn(tab, 'U-awa')
  const [thread] = [...home.server.threads.keys()]
  expect([...home.device.documents.of('of U-awa').conversations.keys()]).toEqual([thread])
})
