import { IDBIndex as FDBIndex, IDBObjectStore as FDBObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Params, QuestionName } from '#schema/port/question'
import { questions } from '#sync/signed-in'
import { card, offline, Reader } from './reader.ts'

/** Spies on how IndexedDB is read while a question is answered. */
const walks = vi.spyOn(FDBIndex.prototype, 'openCursor')
const scans = vi.spyOn(FDBObjectStore.prototype, 'openCursor')
const heaps = vi.spyOn(FDBObjectStore.prototype, 'getAll')
const ranges = vi.spyOn(FDBIndex.prototype, 'getAll')

let reader: Reader
beforeEach(async () => {
  reader = await Reader.open(() => offline, { me: 'U1' })
  await reader.store.saved.put([{ id: 'L1', newest: 1, saved: true }])
  reader.goOffline()
  for (const spy of [walks, scans, heaps, ranges]) spy.mockClear()
})
afterEach(() => reader.close())

type Samples = { readonly [N in QuestionName]: readonly [Params<N>, ...Params<N>[]] }
const samples: Samples = {
  'listings.browse': [
    { filters: {}, limit: 20 },
    {
      filters: {
        category: 'vehicles',
        region: 'kadiogo',
        price_max: '5000000',
        search: 'toyota',
        ordering: 'price',
      },
      limit: 40,
    },
  ],
  'listings.facets': [{ filters: {} }, { filters: { category: 'vehicles', condition: 'used' } }],
  'listings.recommended': [
    { type: 'recent', limit: 8 },
    { type: 'for_you', limit: 20 },
  ],
  'listings.similar': [{ id: 'L1' }],
  'listings.related': [{ id: 'L1' }],
  'listings.suggested': [{ search: 'toy', category: null }],
  'searches.suggested': [{ search: 'toy', category: null }],
  'listings.saved': [{}],
  'saved.ids': [{}],
  'listings.mine': [{ status: 'active' }],
  'listing.detail': [{ id: 'L1' }],
  'seller.follow': [{ id: 'U2' }],
  'searches.saved': [{}],
  'listing.drafts': [{}],
  'shop.reviews': [{ slug: 'boutique-2', limit: 10 }],
  'shop.detail': [{ slug: 'boutique-2' }],
  'shop.listings': [{ slug: 'boutique-2', filters: {}, limit: 20 }],
  'conversations.list': [{ search: '' }, { search: 'toyota' }],
  'conversation.detail': [{ id: 'C1' }],
  'messages.thread': [
    { conversation: 'C1', limit: 30 },
    { conversation: 'C1', limit: 500, local: true },
  ],
  'notifications.latest': [{ limit: 6 }],
  'account.me': [{}],
  'account.preferences': [{}],
  'account.blocked': [{}],
  'draft.text': [{ key: 'message:C1' }],
  'catalogue.specs': [{}],
  'catalogue.places': [{}],
  'outbox.entries': [{}],
  'network.state': [{}],
}

function samplesOf<N extends QuestionName>(name: N) {
  return samples[name].map((params) => ({ name, params, ask: () => reader.watch(name, params) }))
}
const names = Object.keys(questions).filter((name): name is QuestionName => name in questions)

test.each(names.flatMap((name) => samplesOf(name)))(
  '$name $params is answered by an index or by ids alone',
  async ({ ask }) => {
    const held = ask()
    await expect.poll(held).not.toBeNull()
    expect(walks).not.toHaveBeenCalled()
    expect(scans).not.toHaveBeenCalled()
    // Search scans all listings once, in pages by id.
    for (const [, limit] of heaps.mock.calls) expect(limit).toBe(200)
    for (const [range] of ranges.mock.calls) expect(range).toBeDefined()
  },
)

test('a find that no index serves throws: it is a bug', async () => {
  await expect(reader.store.listings.find({ sort: [{ title: 'asc' }] }).exec()).rejects.toThrow(
    'No index serves',
  )
  await expect(
    reader.store.listings
      .find({ selector: { region: 'kadiogo' }, sort: [{ newest: 'asc' }] })
      .exec(),
  ).rejects.toThrow('No index serves')
})

test('the number of rows read for one page of a list does not grow with the database', async () => {
  const rows = Array.from({ length: 120 }, (_, n) => `L${n}`)
  reader.server = () => ({
    body: { next: null, results: rows.slice(0, 20).map((id, n) => card(id, n)) },
  })
  reader.goOnline()
  const held = reader.watch('listings.browse', { filters: {}, limit: 20 })
  await expect.poll(() => held()?.status).toBe('ready')
  const gets = vi.spyOn(FDBObjectStore.prototype, 'get')
  ranges.mockClear()
  reader.unwatch('listings.browse')
  const again = reader.watch('listings.browse', { filters: {}, limit: 20 }, 'again')
  await expect.poll(() => again()?.rows.length).toBe(20)
  // The list document and its twenty rows.
  expect(gets.mock.calls.length).toBeLessThanOrEqual(22)
  expect(ranges).not.toHaveBeenCalled()
})
