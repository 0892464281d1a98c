import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import type { Entry } from '#schema/disk/entry'
import { askedAbout, byLane, describeEntry, whyOf } from './describeEntry.ts'

beforeAll(() => {
  i18n.loadAndActivate({ locale: 'fr', messages: {} })
})

function entry(sequence: number, lane: string, rest: Partial<Entry> = {}): Entry {
  return {
    id: `00000000-0000-7000-8000-${String(sequence).padStart(12, '0')}`,
    sequence,
    owner: 'U1',
    lane,
    low: false,
    name: 'message.send',
    payload: {},
    state: 'waiting',
    why: null,
    problem: null,
    answer: null,
    after: null,
    bornAt: 0,
    tries: 0,
    notBefore: 0,
    fence: 0,
    bytes: 300,
    wifiOnly: false,
    triedAt: 0,
    uncertain: false,
    tried: [],
    ...rest,
  }
}

test.each([
  [
    { name: 'message.send', payload: { conversation: 'C1', content: 'Bonjour' } },
    'Message',
    'Bonjour',
    true,
  ],
  [
    { name: 'conversation.start', payload: { listing: 'L1', content: 'Dispo ?' } },
    'Premier message',
    'Dispo ?',
    true,
  ],
  [
    {
      name: 'message.send',
      payload: { conversation: 'C1', content: '', photo: { id: 'P1', bytes: 5 } },
    },
    'Message',
    '',
    true,
  ],
  [
    { name: 'listing.save', payload: { listing: 'L1', saved: false } },
    'Retirer une annonce des favoris',
    null,
    false,
  ],
  [
    { name: 'report.send', payload: { category: 'spam', message: '', listing: 'L1', user: null } },
    'Signalement',
    null,
    false,
  ],
  [
    { name: 'user.block', payload: { user: 'U2', blocked: true } },
    'Bloquer une personne',
    null,
    false,
  ],
  [
    {
      name: 'listing.edit',
      payload: {
        listing: 'L1',
        draft: 'DRAFT1',
        fields: { title: 'Vélo bleu' },
        base: {},
        photos: [],
        images: null,
        baseVersion: 1,
        wifiOnly: false,
      },
    },
    'Changements d’une annonce',
    'Vélo bleu',
    false,
  ],
  [{ name: 'message.send', payload: { written: 'by an older version' } }, 'Envoi', null, false],
  [{ name: 'listing.teleport', payload: {} }, 'Envoi', null, false],
])('an entry %j reads “%s”', (about, what, content, editable) => {
  const described = describeEntry(about)
  expect([i18n._(described.what), described.content, described.editable]).toEqual([
    what,
    content,
    editable,
  ])
})

test.each([
  ['refused', 'retry_data', 'data'],
  ['refused', 'retry_time', 'time'],
  ['refused', 'message_empty', null],
  ['waiting', 'retry_data', null],
] as const)('an entry that is %s with %s asks about %s', (state, code, about) => {
  expect(askedAbout({ state, problem: { detail: '', code } })).toBe(about)
})

test('lanes are in order of creation, without acknowledged and low-priority entries', () => {
  const entries = [
    entry(3, 'conversation:C1'),
    entry(1, 'conversation:C2'),
    entry(2, 'conversation:C1'),
    entry(4, 'low', { low: true }),
    entry(5, 'account', { state: 'acknowledged' }),
  ]
  expect(
    byLane(entries).map(({ lane, entries: own }) => [lane, own.map(({ sequence }) => sequence)]),
  ).toEqual([
    ['conversation:C2', [1]],
    ['conversation:C1', [2, 3]],
  ])
})

test.each([
  [null, 0, 'online', null],
  [null, 1, 'online', 'behind'],
  ['server', 1, 'online', 'server'],
  [null, 0, 'offline', 'offline'],
  ['server', 0, 'captive', 'captive'],
] as const)(
  'an entry that says %s at place %i while %s waits for %s',
  (why, place, network, reason) => {
    expect(whyOf({ why }, place, network)).toBe(reason)
  },
)
