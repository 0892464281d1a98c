import { type Entry, isRemoved } from '#schema/disk/entry'
import { VISITOR_TEXT_MS } from '#schema/limits'
import { expect, test } from 'vitest'
import { commands } from '../nouns/commands.ts'
import { queue } from './accept.ts'
import { edit, remove } from './edit.ts'
import { charged, paused } from './budget.ts'
import { type OutboxState, emptyState, removed, withEntry, withMeta } from './state.ts'
import {
  begin,
  done,
  later,
  leads,
  pause,
  refused,
  resume,
  retry,
  signedOut,
  takeFence,
} from './transitions.ts'

const ids = ['a', 'b', 'c', 'd'].map((letter) => `00000000-0000-7000-8000-00000000000${letter}`)
const [A = '', B = '', C = ''] = ids
const problem = { detail: 'no', code: 'validation_error' }

/** A conversation started by A, with the dependent messages B and C. */
function begun(): OutboxState {
  const start = queue(
    emptyState,
    { id: A, name: 'conversation.start', payload: { listing: 'L1', content: 'one' } },
    commands['conversation.start'],
    'U1',
    1000,
  ).state
  const second = queue(
    start,
    { id: B, name: 'message.send', payload: { conversation: 'new-L1', content: 'two' } },
    commands['message.send'],
    'U1',
    1001,
  ).state
  return queue(
    second,
    { id: C, name: 'message.send', payload: { conversation: 'new-L1', content: 'three' } },
    commands['message.send'],
    'U1',
    1002,
  ).state
}

function states(state: OutboxState): Record<string, Entry['state']> {
  return Object.fromEntries(
    state.entries.map(({ payload, state }) => [
      String(payload['content'] ?? payload['saved']),
      state,
    ]),
  )
}

test('the same command twice is one entry', () => {
  const again = queue(
    begun(),
    { id: A, name: 'conversation.start', payload: { listing: 'L1', content: 'one' } },
    commands['conversation.start'],
    'U1',
    5000,
  )
  expect(again.result).toEqual({ kind: 'queued', id: A })
  expect(again.state.entries).toHaveLength(3)
})

test('only the current leader may start an entry', () => {
  const { state, result: fence } = takeFence(begun(), 'U1')
  const taken = takeFence(state, 'U1')
  expect(leads(taken.state, 'U1', fence)).toBe(false)
  expect(leads(taken.state, 'U1', taken.result)).toBe(true)
})

test('after a takeover, entries in flight wait with unknown outcome', () => {
  const { state, result: fence } = takeFence(begun(), 'U1')
  const flying = begin(state, [A], fence, 1)
  const [first] = takeFence(flying, 'U1').state.entries
  expect(first).toMatchObject({ state: 'waiting', uncertain: true, triedAt: 1 })
})

test('a refusal parks what depends on it too, and a retry frees both', () => {
  const parked = refused(begun(), A, problem)
  expect(states(parked)).toEqual({ one: 'refused', two: 'refused', three: 'refused' })
  expect(states(retry(parked, 'U1', A))).toEqual({
    one: 'waiting',
    two: 'waiting',
    three: 'waiting',
  })
})

test('a message written behind a parked beginning is parked with it', () => {
  const parked = refused(begun(), A, problem)
  const more = queue(
    parked,
    {
      id: ids[3] ?? '',
      name: 'message.send',
      payload: { conversation: 'new-L1', content: 'four' },
    },
    commands['message.send'],
    'U1',
    2000,
  ).state
  expect(states(more)['four']).toBe('refused')
})

test('dependent entries get the server’s id of a locally started conversation', () => {
  const named = done(begun(), A, {}, { kind: 'conversation', from: 'new-L1', to: 'C9' })
  expect(
    named.entries.slice(1).map(({ lane, payload }) => [lane, payload['conversation']]),
  ).toEqual([
    ['conversation:C9', 'C9'],
    ['conversation:C9', 'C9'],
  ])
  const after = queue(
    named,
    {
      id: ids[3] ?? '',
      name: 'message.send',
      payload: { conversation: 'new-L1', content: 'four' },
    },
    commands['message.send'],
    'U1',
    2000,
  )
  expect(after.state.entries.at(-1)?.payload['conversation']).toBe('C9')
})

test('an edit frees what was parked behind it', () => {
  const { state, result } = edit(refused(begun(), A, problem), 'U1', A, 'better', commands)
  expect(result).toBeNull()
  expect(states(state)).toEqual({ better: 'waiting', two: 'waiting', three: 'waiting' })
})

test('an edited entry stays parked behind another one, and its retry starts with that one', () => {
  const { state } = edit(refused(begun(), A, problem), 'U1', B, 'better', commands)
  expect(states(state)).toEqual({ one: 'refused', better: 'refused', three: 'refused' })
  expect(new Set(Object.values(states(retry(state, 'U1', B))))).toEqual(new Set(['waiting']))
})

test('a chain of dependents is freed when its first entry is removed', () => {
  const other = queue(
    begun(),
    { id: ids[3] ?? '', name: 'conversation.start', payload: { listing: 'L1', content: 'four' } },
    commands['conversation.start'],
    'U1',
    1003,
  ).state
  const last = '00000000-0000-7000-8000-00000000000e'
  const chain = queue(
    other,
    { id: last, name: 'message.send', payload: { conversation: 'new-L1', content: 'five' } },
    commands['message.send'],
    'U1',
    1004,
  ).state
  const { state } = remove(refused(chain, A, problem), 'U1', A, commands)
  expect(states(state)).toEqual({
    one: 'acknowledged',
    two: 'waiting',
    three: 'waiting',
    four: 'waiting',
    five: 'waiting',
  })
})

test('dependents of a removed or edited entry stay parked behind the first one, and are freed with it', () => {
  const second = queue(
    begun(),
    { id: ids[3] ?? '', name: 'conversation.start', payload: { listing: 'L1', content: 'four' } },
    commands['conversation.start'],
    'U1',
    1003,
  ).state
  const chain = queue(
    second,
    {
      id: '00000000-0000-7000-8000-00000000000e',
      name: 'message.send',
      payload: { conversation: 'new-L1', content: 'five' },
    },
    commands['message.send'],
    'U1',
    1004,
  ).state
  const parked = refused(chain, A, problem)
  for (const { state } of [
    remove(parked, 'U1', ids[3] ?? '', commands),
    edit(parked, 'U1', ids[3] ?? '', 'better', commands),
  ]) {
    expect(states(state)['five']).toBe('refused')
    expect(states(edit(state, 'U1', A, 'allowed', commands).state)['five']).toBe('waiting')
  }
})

test('an entry with unknown outcome cannot be edited if the server ignores keys', () => {
  expect(
    edit(
      later(begun(), A, 'weak', 0, { reached: false, uncertain: true }),
      'U1',
      A,
      'better',
      commands,
    ).result,
  ).toBe('maybe_sent')
})

test('an entry with unknown outcome can be edited if the server honours keys; it stores its old payload', () => {
  const { state, result: fence } = takeFence(withMeta(begun(), { keysKept: true }), 'U1')
  const doubtful = later(begin(state, [A], fence, 7), A, 'weak', 0, {
    reached: false,
    uncertain: true,
  })
  const once = edit(doubtful, 'U1', A, 'better', commands)
  const twice = edit(once.state, 'U1', A, 'best', commands)
  expect([once.result, twice.result]).toEqual([null, null])
  expect(twice.state.entries[0]).toMatchObject({
    payload: { content: 'best' },
    uncertain: true,
    tried: [{ payload: { content: 'one' }, at: 7 }],
  })
})

test('what is changed after many tries is due at once, or when the server asked for it', () => {
  const { state, result: fence } = takeFence(withMeta(begun(), { keysKept: true }), 'U1')
  const tried = later(begin(state, [A], fence, 7), A, 'server', 900_000, {
    reached: true,
    uncertain: true,
  })
  expect(edit(tried, 'U1', A, 'better', commands).state.entries[0]).toMatchObject({
    notBefore: 0,
    tries: 0,
    triedAt: 0,
  })
  const asked = withEntry(tried, A, () => ({ retryAt: 60_000 }))
  expect(edit(asked, 'U1', A, 'better', commands).state.entries[0]).toMatchObject({
    notBefore: 60_000,
  })
})

test('another account can neither edit nor remove it', () => {
  expect(edit(begun(), 'U2', A, 'better', commands).result).toBe('not_found')
  expect(remove(begun(), 'U2', A, commands).state).toEqual(begun())
})

test('the next message starts the conversation when the first one is removed', () => {
  const { state } = remove(begun(), 'U1', A, commands)
  expect(
    state.entries.map(({ name, state, after, problem: why }) => [name, state, after, why?.code]),
  ).toEqual([
    ['conversation.start', 'acknowledged', null, removed.problem.code],
    ['conversation.start', 'waiting', null, undefined],
    ['message.send', 'waiting', B, undefined],
  ])
})

test('an expired session saves all entries for the same user', () => {
  const meta = { ...emptyState.meta, sessions: [{ owner: 'U1', username: 'a', token: 'T1' }] }
  const ended = signedOut(
    { ...begun(), meta: { ...begun().meta, sessions: meta.sessions } },
    'U1',
    'T1',
  )
  expect(new Set(Object.values(states(ended)))).toEqual(new Set(['signed-out']))
  expect(ended.meta).toMatchObject({ sessions: [], lapsed: 'U1' })
  expect(states(resume(ended, 'U2', () => false, 1))).toEqual(states(ended))
  expect(new Set(Object.values(states(resume(ended, 'U1', () => false, 1))))).toEqual(
    new Set(['waiting']),
  )
})

test('[S2.13] what a visitor took back goes with nobody who signs in', () => {
  const save = (state: OutboxState, id: string, saved: boolean): OutboxState =>
    queue(
      state,
      { id, name: 'listing.save', payload: { listing: 'L1', saved } },
      commands['listing.save'],
      '',
      1,
    ).state
  const kept = save(emptyState, A, true)
  expect(resume(kept, 'U1', () => true, 1).entries).toMatchObject([
    { owner: 'U1', state: 'waiting' },
  ])
  expect(resume(save(kept, B, false), 'U1', () => true, 1).entries).toMatchObject([
    { id: A, owner: '', state: 'acknowledged' },
  ])
})

test('[S13.12] what a visitor typed belongs to who signs in, after what they had typed before', () => {
  const text = (owner: string, key: string, content: string) => ({
    id: `${owner} ${key}`,
    owner,
    key,
    content,
    at: 1,
  })
  const other = text('U2', 'listing:L1', 'À elle')
  const typed = [text('', 'listing:L1', 'Bonjour'), text('', 'listing:L2', 'Dispo ?'), other]
  const own = text('U1', 'listing:L2', 'Salut')
  const before = { ...emptyState, texts: [...typed, own] }
  const { texts } = resume(before, 'U1', () => false, VISITOR_TEXT_MS)
  expect(texts).toEqual([
    other,
    text('U1', 'listing:L1', 'Bonjour'),
    text('U1', 'listing:L2', 'Salut\nDispo ?'),
  ])
  expect(resume({ ...emptyState, texts }, 'U3', () => false, 2).texts).toBe(texts)
  // An earlier visit may have been somebody else's.
  expect(resume(before, 'U1', () => false, 1 + VISITOR_TEXT_MS).texts).toEqual([other, own])
})

test('an entry in flight when the session ends has an unknown outcome', () => {
  const { state, result: fence } = takeFence(begun(), 'U1')
  expect(pause(begin(state, [A], fence, 1), 'U1').entries[0]).toMatchObject({
    state: 'signed-out',
    uncertain: true,
  })
})

test.each([
  ['refused', (state: OutboxState) => refused(state, A, problem)],
  [
    'given up for its cost',
    (state: OutboxState) =>
      paused(
        later(state, A, 'server', 0, { reached: true, uncertain: true }),
        A,
        'retry_data',
        charged({}, 1, 1),
      ),
  ],
])(
  '%s after its owner signed out: what depends on it is parked too, and stays so when they are back',
  (_how, answered) => {
    const { state, result: fence } = takeFence(begun(), 'U1')
    const parked = answered(pause(begin(state, [A], fence, 1), 'U1'))
    const back = resume(parked, 'U1', () => false, 1)
    expect(states(back)).toEqual({ one: 'refused', two: 'refused', three: 'refused' })
    expect(states(retry(back, 'U1', A))).toEqual({
      one: 'waiting',
      two: 'waiting',
      three: 'waiting',
    })
  },
)

test('opposite toggles cancel each other before they are sent, never against one in flight', () => {
  const save = (state: OutboxState, id: string, saved: boolean): OutboxState =>
    queue(
      state,
      { id, name: 'listing.save', payload: { listing: 'L1', saved } },
      commands['listing.save'],
      'U1',
      1,
    ).state
  expect(
    save(save(emptyState, A, true), B, false).entries.map((entry) => [entry.id, isRemoved(entry)]),
  ).toEqual([[A, true]])
  expect(save(save(emptyState, A, true), B, true).entries).toHaveLength(1)
  const { state, result: fence } = takeFence(save(emptyState, A, true), 'U1')
  const flying = begin(state, [A], fence, 1)
  expect(save(flying, B, false).entries.map(({ state }) => state)).toEqual(['sending', 'waiting'])
  const unsure = later(flying, A, 'weak', 0, { reached: false, uncertain: true })
  expect(save(unsure, B, false).entries).toHaveLength(2)
})

test('read positions only move forward', () => {
  const read = (state: OutboxState, id: string, upTo: number): OutboxState =>
    queue(
      state,
      { id, name: 'conversation.read', payload: { conversation: 'C1', upTo } },
      commands['conversation.read'],
      'U1',
      1,
    ).state
  const twice = read(read(emptyState, A, 4), B, 9)
  expect(twice.entries.map(({ payload }) => payload['upTo'])).toEqual([9])
  expect(read(twice, C, 7)).toMatchObject({ entries: twice.entries })
})

test('[S13.31] a command deletes its draft text, and the quotation that it answers', () => {
  const texts = ['message:C1', 'messageanswer:C1'].map((key) => ({
    id: `U1 ${key}`,
    owner: 'U1',
    key,
    content: 'Bon',
    at: 1,
  }))
  const { state } = queue(
    { ...emptyState, texts },
    {
      id: A,
      name: 'message.send',
      payload: { conversation: 'C1', content: 'Bonjour' },
      draft: 'message:C1',
    },
    commands['message.send'],
    'U1',
    1,
  )
  expect(state.texts).toEqual([])
})

test('[S2.42] a command deletes its draft photo reference, but nothing of other conversations and users', () => {
  const text = (owner: string, key: string, content: string) => ({
    id: `${owner} ${key}`,
    owner,
    key,
    content,
    at: 1,
  })
  const others = [
    text('U1', 'message:C12', 'Autre'),
    text('U1', 'messagephoto:C12', B),
    text('U2', 'message:C1', 'À elle'),
  ]
  const texts = [text('U1', 'message:C1', 'Voici'), text('U1', 'messagephoto:C1', A), ...others]
  const payload = { conversation: 'C1', content: 'Voici', photo: { id: A, bytes: 200_000 } }
  const { state } = queue(
    { ...emptyState, texts },
    { id: A, name: 'message.send', payload, draft: 'message:C1' },
    commands['message.send'],
    'U1',
    1,
  )
  expect(state.texts).toEqual(others)
  expect(state.entries[0]?.bytes).toBeGreaterThan(200_000)
})

test('[S13.33] of several draft photos a command deletes only its own reference, and no text', () => {
  const text = (key: string, content: string) => ({
    id: `U1 ${key}`,
    owner: 'U1',
    key,
    content,
    at: 1,
  })
  const send = (state: OutboxState, id: string, draft?: string): OutboxState =>
    queue(
      state,
      {
        id,
        name: 'message.send',
        payload: { conversation: 'C1', content: '', photo: { id, bytes: 200_000 } },
        ...(draft !== undefined && { draft }),
      },
      commands['message.send'],
      'U1',
      1,
    ).state
  const typed = text('message:C1', 'Voici')
  const all = { ...emptyState, texts: [typed, text('messagephoto:C1', `${A} ${B} ${C}`)] }
  const one = send(all, B)
  expect(one.texts.map(({ content }) => content.split(/ +/))).toEqual([['Voici'], [A, C]])
  const two = send(one, A)
  expect(two.texts).toEqual([typed, text('messagephoto:C1', C)])
  expect(send(two, C, 'message:C1').texts).toEqual([])
})
