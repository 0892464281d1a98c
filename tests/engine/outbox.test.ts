import type { CommandName, Payload } from '#schema/port/command'
import type { SendResult } from '#schema/port/outcome'
import { preferences } from '#schema/wire/notification'
import type { AnyRule } from '#sync/noun'
import { commands } from '#sync/nouns/commands'
import { emptyState } from '#sync/outbox/state'
import { refused } from '#sync/outbox/transitions'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { EngineHarness } from './harness.ts'
import { PHOTO_BYTES } from './model/device.ts'
import type { Tab } from './model/device.ts'
import { abortOf } from './model/network.ts'
import { callOf, FORBIDDEN, SELLER } from './model/server.ts'
import { World } from './model/world.ts'

const fields = {
  title: 'Vélo',
  description: 'd',
  category: 'other',
  price: 1000,
  negotiable: false,
  region: 'centre',
  town: null,
  neighbourhood: null,
  location_note: null,
  contact_phone: null,
  specs: {},
}

/** A signed-in person without a network. */
async function away(
  world?: World,
): Promise<{ readonly harness: EngineHarness; readonly tab: Tab }> {
  const harness = new EngineHarness(world)
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  harness.device.show(tab, true)
  await harness.world.run(2000)
  return { harness, tab }
}

function sending(harness: EngineHarness, tab: Tab) {
  return async <N extends CommandName>(
    name: N,
    payload: Payload<N>,
    id = harness.world.id(),
  ): Promise<SendResult> => harness.when(tab.engine.send({ id, name, payload }))
}

/** True if a command answered "queued" has its row in the outbox. */
function isQueued(harness: EngineHarness, sent: SendResult): boolean {
  return (
    sent.kind === 'queued' &&
    harness.device.disk.state.entries.some(
      ({ id, state }) => id === sent.id && state !== 'acknowledged',
    )
  )
}

test.each([0, 1, 5, 2000])(
  '[S4.01] a publication cancelled %i ms ago can be published again, and is sent',
  async (pause) => {
    const { harness, tab } = await away()
    const send = sending(harness, tab)
    const draft = harness.world.id()
    const publication = { draft, fields, photos: [], wifiOnly: false }
    expect(isQueued(harness, await send('listing.publish', publication, draft))).toBe(true)
    const removed = tab.engine.ask({ name: 'outbox.remove', params: { id: draft } })
    await (pause === 0
      ? harness.world.run(3)
      : harness.when(removed).then(() => harness.world.run(pause)))
    expect(isQueued(harness, await send('listing.publish', publication, draft))).toBe(true)
    await harness.world.run(2000)
    // The new publication is shown while it waits, though the cancelled one was hidden.
    expect([...harness.device.documents.of('of U-awa').ownListings.keys()]).toEqual([draft])
    harness.network.become('there')
    harness.device.show(tab, true)
    await harness.world.run(20_000)
    expect([...harness.server.listings.values()].map(({ title }) => title)).toEqual(['Vélo'])
    // Once the server has it, it is neither queued again nor reported as queued.
    expect(await send('listing.publish', publication, draft)).toEqual({ kind: 'done' })
  },
)

test('undoing a command that never left is done at once, and is not reported as waiting', async () => {
  const { harness, tab } = await away()
  const send = sending(harness, tab)
  await harness.when(tab.engine.watch('waiting', { name: 'outbox.entries', params: {} }))
  const first = await send('user.follow', { user: 'U-seller', following: true })
  expect(isQueued(harness, first)).toBe(true)
  await harness.world.run(2000)
  expect(shown(harness)).toHaveLength(1)
  // The same command once more answers with the row that already waits.
  expect(await send('user.follow', { user: 'U-seller', following: true })).toEqual(first)
  expect(await send('user.follow', { user: 'U-seller', following: false })).toEqual({
    kind: 'done',
  })
  expect(harness.states()).toEqual([])
  await harness.world.run(2000)
  expect(shown(harness)).toEqual([])
})

/** Ids of the last `waiting` frame that the page received. */
function shown(harness: EngineHarness): readonly string[] | undefined {
  return harness.notes
    .flatMap((note) => (note.kind === 'frame' && note.key === 'waiting' ? [note.frame.ids] : []))
    .at(-1)
}

test('[S2.44] a preference that is changed offline is shown changed at once', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.when(tab.engine.watch('values', { name: 'account.preferences', params: {} }))
  await harness.world.run(2000)
  const facts = v.object({ preferences })
  const push = () =>
    harness.notes
      .flatMap((note) => (note.kind === 'frame' && note.key === 'values' ? [note.frame.facts] : []))
      .findLast((shown) => v.is(facts, shown))
  expect(push()).toMatchObject({ preferences: { messages: { push: true } } })
  harness.network.become('gone')
  await harness.world.run(2000)
  const change = { messages: { push: false } }
  expect(isQueued(harness, await sending(harness, tab)('preferences.change', change))).toBe(true)
  await harness.world.run(2000)
  expect(push()).toMatchObject({ preferences: { messages: { push: false } } })
  harness.network.become('there')
  await harness.world.run(20_000)
  expect(harness.states()).toEqual([])
  expect(push()).toMatchObject({ preferences: { messages: { push: false } } })
})

test.each([
  ['user.follow', { user: 'U-seller', following: true }],
  ['user.block', { user: 'U-seller', blocked: true }],
  ['listing.state', { listing: 'L1', flag: 'sold', desired: true }],
  ['review.write', { seller: 'U-seller', rating: 4, comment: 'Bien' }],
] as const)(
  '[S4.02] a refused %s that is tapped again is queued anew and replaces the refused one',
  async (name, payload) => {
    const { harness, tab } = await away()
    const send = sending(harness, tab)
    await send(name, payload)
    const { disk } = harness.device
    const problem = { detail: 'Pas maintenant.', code: 'validation_error' }
    disk.state = {
      ...disk.state,
      entries: disk.state.entries.map((entry) => ({
        ...entry,
        state: 'refused' as const,
        problem,
      })),
    }
    const again = await send(name, payload)
    expect(isQueued(harness, again)).toBe(true)
    expect(harness.states()).toEqual(['U-awa waiting'])
  },
)

test('a removed entry that may have arrived is not sent again, and nothing is deleted on the server', async () => {
  const { harness, tab } = await away()
  const id = harness.world.id()
  await sending(harness, tab)('conversation.start', { listing: 'L1', content: 'Peut-être' }, id)
  const { disk } = harness.device
  disk.state = {
    ...disk.state,
    entries: disk.state.entries.map((entry) => ({ ...entry, uncertain: true, triedAt: 1 })),
  }
  await harness.when(tab.engine.ask({ name: 'outbox.remove', params: { id } }))
  await harness.world.run(2000)
  expect(harness.states()).toEqual([])
})

test.each(['told', 'found by itself'])(
  '[S4.05] wiping the database (%s) requeues three messages, never shows them as sent, and sends them',
  async (how) => {
    const { harness, tab } = await away()
    for (const content of ['one', 'two', 'three']) await harness.write(tab, content)
    const waits = () =>
      harness.notes.flatMap((note) =>
        note.kind === 'waits' && note.owner === 'U-awa' ? [note] : [],
      )
    const before = waits().at(-1)
    expect(before).toMatchObject({ count: 3, messages: 3 })
    const shown: number[] = []
    tab.engine.outbox.entries.subscribe((entries) => shown.push(entries.length))
    harness.device.disk.state = emptyState
    if (how === 'told') await harness.when(tab.engine.reopened())
    else await harness.write(tab, 'four')
    await harness.world.run(2000)
    const all = how === 'told' ? ['one', 'two', 'three'] : ['one', 'two', 'three', 'four']
    expect(harness.device.disk.state.entries.map(({ payload }) => payload['content'])).toEqual(all)
    expect(Math.min(...shown)).toBe(3)
    // The page sees the same database: nothing is gone.
    expect(waits().at(-1)).toEqual({ ...before, count: all.length, messages: all.length })
    harness.network.become('there')
    harness.device.show(tab, true)
    await harness.world.run(20_000)
    expect(harness.sent()).toEqual(all)
  },
)

test('a wipe with every tab closed gives the page a new, empty database', async () => {
  const { harness, tab } = await away()
  for (const content of ['one', 'two', 'three']) await harness.write(tab, content)
  const token = harness.device.disk.state.meta.sessions[0]?.token ?? ''
  harness.device.kill(tab)
  const [before] = harness.notes.flatMap((note) =>
    note.kind === 'waits' && note.count === 3 ? [note] : [],
  )
  harness.device.disk.state = emptyState
  harness.network.become('there')
  await harness.open(token)
  await harness.world.run(20_000)
  const after = harness.notes
    .flatMap((note) => (note.kind === 'waits' && note.owner === 'U-awa' ? [note] : []))
    .at(-1)
  expect(after).toMatchObject({ count: 0 })
  expect(after?.born).not.toBe(before?.born)
})

test.each([
  ['', false],
  [', also when the cache was cleared between', true],
])(
  'on a new device a thread and its listing page write into one lane, in the order of writing%s',
  async (_when, cleared) => {
    const harness = new EngineHarness()
    const first = await harness.open()
    await harness.signIn(first, 'U-awa')
    await harness.write(first, 'one')
    harness.device.kill(first)
    harness.device.forget()
    const tab = await harness.open()
    await harness.signIn(tab, 'U-awa')
    await harness.world.run(2000)
    const [thread] = harness.device.documents.of('of U-awa').conversations.keys()
    harness.network.become('gone')
    harness.device.show(tab, true)
    const send = sending(harness, tab)
    await send('message.send', { conversation: thread ?? '', content: 'two' })
    if (cleared) await harness.when(tab.engine.ask({ name: 'data.clear', params: {} }))
    await send('conversation.start', { listing: 'L1', content: 'three' })
    expect(harness.device.disk.state.entries.map(({ lane }) => lane)).toEqual([
      `conversation:${thread}`,
      `conversation:${thread}`,
    ])
  },
)

test('a message written after its conversation was removed, on a full disk, begins the conversation', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  harness.network.become('gone')
  harness.device.show(tab, true)
  const send = sending(harness, tab)
  await send('conversation.start', { listing: 'L1', content: 'one' })
  harness.device.documents.full = 1
  await harness.when(
    tab.engine.ask({
      name: 'outbox.remove',
      params: { id: harness.device.disk.state.entries[0]?.id ?? '' },
    }),
  )
  await send('message.send', { conversation: 'new-L1', content: 'two' })
  harness.device.documents.full = 0
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.world.run(60_000)
  expect(harness.sent()).toEqual(['two'])
  expect(harness.states()).toEqual([])
})

test('[SYNC 1] a removed message passes nothing on to the next in a conversation that exists', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'one')
  const [conversation = ''] = harness.server.threads.keys()
  harness.network.become('gone')
  harness.device.show(tab, true)
  const send = sending(harness, tab)
  const id = harness.world.id()
  await send('conversation.start', { listing: 'L1', content: 'two' }, id)
  for (const content of [`three ${FORBIDDEN}`, 'four'])
    await send('message.send', { conversation, content })
  await harness.when(tab.engine.ask({ name: 'outbox.remove', params: { id } }))
  harness.network.become('there')
  harness.device.show(tab, true)
  await harness.world.run(20_000)
  expect(harness.states()).toEqual(['U-awa refused'])
  await send('message.send', { conversation, content: 'five' })
  await harness.world.run(3000)
  expect(harness.sent()).toEqual(['one', 'four', 'five'])
})

test('[SYNC 5] a start in flight is not sent again when a list has its conversation meanwhile', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  const answered = harness.network.answer.bind(harness.network)
  let tries = 0
  harness.network.answer = async (realm, request) => {
    const answer = await answered(realm, request)
    if (callOf(request) !== 'POST conversations start') return answer
    tries++
    return abortOf(request)
  }
  const id = harness.world.id()
  harness.device.keepPhoto(id, id, 'U-awa')
  const send = sending(harness, tab)
  const photo = { id, bytes: PHOTO_BYTES }
  await send('conversation.start', { listing: 'L1', content: 'one', photo }, id)
  await harness.world.run(1000)
  await harness.when(
    tab.engine.ask({
      name: 'data.refresh',
      params: { name: 'conversations.list', params: { search: '' } },
    }),
  )
  const [conversation = ''] = harness.server.threads.keys()
  await send('message.send', { conversation, content: 'two' })
  await harness.world.run(2000)
  expect(tries).toBe(1)
  harness.network.answer = answered
  await harness.world.run(20_000)
  expect(harness.sent()).toEqual(['one', 'two'])
})

test('[S2.13] a listing saved by a second command stays saved: the first entry stands for both', async () => {
  const { harness, tab } = await away()
  const send = sending(harness, tab)
  const first = await send('listing.save', { listing: 'L1', saved: true })
  expect(await send('listing.save', { listing: 'L1', saved: true })).toEqual(first)
  expect(harness.device.documents.of('of U-awa').saved.get('L1')?.saved).toBe(true)
})

test('[S2.13] a listing saved again while the disk is full is shown as saved once there is room', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  const send = sending(harness, tab)
  await send('listing.save', { listing: 'L1', saved: true })
  await harness.world.run(3000)
  await send('listing.save', { listing: 'L1', saved: false })
  await harness.world.run(3000)
  harness.device.documents.full = 1
  await send('listing.save', { listing: 'L1', saved: true })
  await harness.world.run(3000)
  harness.device.documents.full = 0
  await harness.world.run(20_000)
  expect(harness.device.documents.of('of U-awa').saved.get('L1')?.saved).toBe(true)
})

test('[S2.13] a save undone on a full disk shows so once there is room, even if the tab was killed', async () => {
  // The device knows that it is offline: else the save may be in flight, and cannot be undone.
  const { harness, tab } = await away()
  const send = sending(harness, tab)
  await send('listing.save', { listing: 'L1', saved: true })
  harness.device.documents.full = 1
  await send('listing.save', { listing: 'L1', saved: false })
  harness.device.kill(tab)
  harness.device.documents.full = 0
  await harness.open(harness.device.disk.state.meta.sessions[0]?.token ?? null)
  await harness.world.run(5000)
  expect(harness.states()).toEqual([])
  expect(harness.device.documents.of('of U-awa').saved.get('L1')?.saved).toBe(false)
})

test('[S2.13] a listing unsaved on a full disk, in a tab that is hidden by then, is shown as unsaved', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  const send = sending(harness, tab)
  await send('listing.save', { listing: 'L1', saved: true })
  await harness.world.run(3000)
  harness.device.documents.full = 1
  await send('listing.save', { listing: 'L1', saved: false })
  harness.device.show(tab, false)
  await harness.world.run(3000)
  harness.device.documents.full = 0
  await harness.world.run(20_000)
  expect(harness.states()).toEqual([])
  expect(harness.device.documents.of('of U-awa').saved.get('L1')?.saved).toBe(false)
})

test('[S2.13] documents follow the order of the commands, although the disk was full at first', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  const send = sending(harness, tab)
  await send('listing.save', { listing: 'L1', saved: true })
  await harness.world.run(3000)
  harness.device.documents.full = 1
  await send('listing.save', { listing: 'L1', saved: false })
  await harness.world.run(1000)
  expect(harness.states()).toEqual(['U-awa acknowledged'])
  await send('listing.save', { listing: 'L1', saved: true })
  harness.device.documents.full = 0
  await harness.world.run(20_000)
  expect(harness.states()).toEqual([])
  expect(harness.device.documents.of('of U-awa').saved.get('L1')?.saved).toBe(true)
})

test('[S2.13] a listing unsaved on a full disk is shown as unsaved, although the clock was set back', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  const send = sending(harness, tab)
  await send('listing.save', { listing: 'L1', saved: true })
  await harness.world.run(3000)
  harness.device.skew = -3_600_000
  harness.device.documents.full = 1
  await send('listing.save', { listing: 'L1', saved: false })
  await harness.world.run(3000)
  harness.network.become('gone')
  harness.device.documents.full = 0
  await harness.world.run(20_000)
  expect(harness.states()).toEqual([])
  expect(harness.device.documents.of('of U-awa').saved.get('L1')?.saved).toBe(false)
})

test('[SYNC 5] the answer to a toggle does not undo the opposite one that waits behind it', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  const send = sending(harness, tab)
  const facts = (): unknown =>
    harness.device.documents.of('of U-awa').ownLists.get('follow:U-rose')?.facts
  await send('user.follow', { user: 'U-rose', following: true })
  await harness.world.run(1000, () => harness.states().includes('U-awa sending'))
  await send('user.follow', { user: 'U-rose', following: false })
  expect(harness.states()).toEqual(['U-awa sending', 'U-awa waiting'])
  const shown: unknown[] = []
  const watching = harness.device.documents.written.subscribe(() => shown.push(facts()))
  await harness.world.run(10_000)
  watching.unsubscribe()
  expect(harness.states()).toEqual([])
  expect(shown).not.toEqual([])
  expect(shown).not.toContainEqual(expect.objectContaining({ following: true }))
})

test('[SYNC 5] a person blocked while the disk is full is shown as blocked once there is room', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'one')
  const send = sending(harness, tab)
  harness.device.documents.full = 1
  await send('user.block', { user: SELLER, blocked: true })
  await harness.world.run(3000)
  harness.device.documents.full = 0
  await harness.world.run(20_000)
  expect(harness.states()).toEqual([])
  const [thread] = [...harness.server.threads.keys()]
  expect(harness.device.documents.of('of U-awa').conversations.get(thread ?? '')?.can_send).toBe(
    false,
  )
})

/** Several orders of the same steps. */
const seeds = Array.from({ length: 20 }, (_, seed) => seed)

test('[SYNC 5] a message removed while documents are updated leaves no bubble', async () => {
  for (const seed of seeds) {
    const { harness, tab } = await away(new World(seed))
    const send = sending(harness, tab)
    await send('conversation.start', { listing: 'L1', content: 'one' })
    await send('conversation.start', { listing: 'L1', content: 'two' })
    const removing = harness.device.disk.state.entries.map(async ({ id }, place) => {
      await new Promise<void>((resolve) => void tab.realm.after(place * (seed % 4), resolve))
      await tab.engine.ask({ name: 'outbox.remove', params: { id } })
    })
    await harness.when(Promise.all(removing))
    await harness.world.run(1000)
    expect(harness.states()).toEqual([])
    expect([...harness.device.documents.of('of U-awa').messages.keys()], `seed ${seed}`).toEqual([])
  }
})

test('[SYNC 5] a message removed in another tab while it is written leaves no bubble', async () => {
  for (const seed of seeds) {
    const { harness, tab } = await away(new World(seed))
    const other = await harness.open(harness.device.disk.state.meta.sessions[0]?.token ?? null)
    const id = harness.world.id()
    const payload = { listing: 'L1', content: 'one' }
    const writing = tab.engine.send({ id, name: 'conversation.start', payload })
    await harness.world.run(1000, () => harness.states().length > 0)
    const removing = other.engine.ask({ name: 'outbox.remove', params: { id } })
    await harness.when(Promise.all([writing, removing]))
    await harness.world.run(1000)
    expect(harness.states()).toEqual([])
    expect([...harness.device.documents.of('of U-awa').messages.keys()], `seed ${seed}`).toEqual([])
  }
})

test('[S4.01] a publication sent again after its refusal frees what is parked behind it', async () => {
  const { harness, tab } = await away()
  const send = sending(harness, tab)
  const draft = harness.world.id()
  const publication = { draft, fields, photos: [], wifiOnly: false }
  await send('listing.publish', publication, draft)
  await send('listing.state', { listing: draft, flag: 'sold', desired: true })
  const { disk } = harness.device
  disk.state = refused(disk.state, draft, { detail: 'non', code: 'validation_error' })
  expect(harness.states()).toEqual(['U-awa refused', 'U-awa refused'])
  expect(isQueued(harness, await send('listing.publish', publication, draft))).toBe(true)
  expect(harness.states()).toEqual(['U-awa waiting', 'U-awa waiting'])
})

const photo = { id: 'photo', bytes: 1, upload: 'P1', round: 0 }
test.each([
  ['message.send', { conversation: 'C1', content: 'one' }],
  ['conversation.start', { listing: 'L1', content: 'one' }],
  ['listing.publish', { draft: 'draft', fields, photos: [photo], wifiOnly: false }],
  [
    'listing.edit',
    {
      listing: 'L1',
      draft: 'draft',
      fields: {},
      base: {},
      photos: [photo],
      images: { order: ['photo'], before: [] },
      baseVersion: null,
      wifiOnly: false,
    },
  ],
] as const)('[API 19] a lookup of %s takes no other JSON for an empty list', (name, payload) => {
  const rule: AnyRule = commands[name]
  const one = { id: 'K1', owner: 'U1', sequence: 1, createdAt: 0, payload }
  const lookup = rule.deliver(one).keyless?.lookup
  expect(lookup?.found({ ok: true }, { matchedServerIds: new Set(), triedAt: 0 })).toBeNull()
})

test('[SYNC 7] a photo whose answer is lost is done with its echo, and what is behind it is sent', async () => {
  const harness = new EngineHarness()
  const tab = await harness.open()
  await harness.signIn(tab, 'U-awa')
  await harness.write(tab, 'Bonjour')
  const [conversation = ''] = harness.server.threads.keys()
  const id = harness.world.id()
  harness.device.keepPhoto(id, id, 'U-awa')
  const answered = harness.network.answer.bind(harness.network)
  let tries = 0
  harness.network.answer = async (realm, request) => {
    const answer = await answered(realm, request)
    if (request.headers.get('idempotency-key') !== id) return answer
    tries++
    throw new Error('the answer is lost')
  }
  const photo = { id, bytes: PHOTO_BYTES }
  for (const [own, payload] of [
    [id, { conversation, content: 'Voici', photo }],
    [harness.world.id(), { conversation, content: 'Alors ?' }],
  ] as const)
    await harness.when(tab.engine.send({ id: own, name: 'message.send', payload }))
  await harness.world.run(10_000)
  expect(harness.sent()).toEqual(['Bonjour', 'Voici', 'Alors ?'])
  expect([harness.states(), tries]).toEqual([[], 1])
})
