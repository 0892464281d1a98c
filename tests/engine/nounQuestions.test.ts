import { favouritesNeed } from '#sync/nouns/favourite/questions'
import { afterEach, expect, test } from 'vitest'
import { emptyList } from '#schema/disk/documents'
import type { Entry } from '#schema/disk/entry'
import { card, offline, Reader, refused, type Server } from './reader.ts'

const open: Reader[] = []
async function openReader(server: Server, me = 'U1'): Promise<Reader> {
  const made = await Reader.open(server, { me })
  open.push(made)
  return made
}
afterEach(async () => {
  for (const one of open.splice(0)) {
    await one.close()
    if (one.failures.length > 0) throw one.failures[0]
  }
})

const by =
  (bodies: Readonly<Record<string, unknown>>): Server =>
  ({ name }) =>
    name in bodies ? { body: bodies[name] } : refused(404, 'not_found')
const detail = (id: string, more: object = {}) =>
  card(id, 1, {
    description: 'Très bon état',
    specs: { brand: 'Toyota' },
    contact_phone: null,
    created_at: '2026-02-27T09:40:00.000Z',
    conversation_id: 'C9',
    ...more,
  })
const shown = (held: { readonly rows: readonly { readonly id: string }[] } | null) =>
  held?.rows.map(({ id }) => id)

test('a listing detail has its owner and the own conversation on it', async () => {
  const reader = await openReader(by({ 'listing.read': detail('L1') }))
  const held = reader.watch('listing.detail', { id: 'L1' })
  await expect.poll(() => held()?.status).toBe('ready')
  expect(held()?.rows[0]?.more).toMatchObject({
    description: 'Très bon état',
    specs: { brand: 'Toyota' },
  })
  expect(held()?.facts).toEqual({ problem: null, isOwner: false, conversation: 'C9' })
})

test('a later card does not replace the detail, and an older answer is ignored', async () => {
  const reader = await openReader(
    by({
      'listing.read': detail('L1'),
      'listing.browse': {
        next: null,
        results: [card('L1', 0, { title: 'Nouveau titre' }), card('L2', 5)],
      },
    }),
  )
  const held = reader.watch('listing.detail', { id: 'L1' })
  await expect.poll(() => held()?.rows[0]?.more?.description).toBe('Très bon état')
  const list = reader.watch('listings.browse', { filters: {}, limit: 20 })
  await expect.poll(() => list()?.status).toBe('ready')
  await expect.poll(() => held()?.rows[0]?.title).toBe('Nouveau titre')
  expect(held()?.rows[0]?.more?.description).toBe('Très bon état')
  reader.server = by({ 'listing.read': detail('L1', { title: 'Vieux titre' }) })
  await reader.again('listing.detail', { id: 'L1' })
  expect(held()?.rows[0]?.title).toBe('Nouveau titre')
})

test('data that only the owner may see is not visible to the next person on the device', async () => {
  const mine = detail('L1', {
    seller: { id: 'U1', username: 'moi' },
    status: 'rejected',
    review_status: 'rejected',
    review_reason: 'photo floue',
  })
  const reader = await openReader(by({ 'listing.read': mine }))
  const held = reader.watch('listing.detail', { id: 'L1' })
  await expect.poll(() => held()?.rows[0]?.more?.review_reason).toBe('photo floue')
  expect(held()?.facts.isOwner).toBe(true)
  reader.server = () => offline
  await reader.store.enter('U2')
  reader.who.next({ me: 'U2', username: 'autre', language: 'fr' })
  await expect.poll(() => held()?.rows).toEqual([])
  expect(await reader.store.listings.findOne('L1').exec()).toBeNull()
})

test('[S2.13] saved listings are the server’s, except where the outbox is about to change them', async () => {
  const reader = await openReader(
    by({
      'favourite.list': {
        next: null,
        results: [
          { id: 'L1', listing_id: 'L1', created_at: '2026-03-01T00:00:00Z' },
          { id: 'L2', listing_id: 'L2', created_at: '2026-02-01T00:00:00Z' },
        ],
      },
      'listing.browse': { next: null, results: [card('L1'), card('L3')], missing: ['L2'] },
    }),
  )
  await reader.store.saved.put([
    { id: 'L3', newest: -Date.UTC(2026, 3), saved: true },
    { id: 'L4', newest: 0, saved: true },
  ])
  const waiting: Partial<Entry> = { name: 'listing.save', payload: { listing: 'L3', saved: true } }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `name` and `payload` are read
  reader.outbox.next([waiting as Entry])
  const ids = reader.watch('saved.ids', {})
  await expect.poll(() => ids()?.facts.ids).toEqual(['L3', 'L1', 'L2'])
  const held = reader.watch('listings.saved', {})
  await expect.poll(() => shown(held())).toEqual(['L3', 'L1'])
  expect(held()?.facts.missing).toEqual(['L2'])
})

test('a saved listing that the server does not show is requested once, however often favourites are read', async () => {
  const reader = await openReader(
    by({
      'favourite.list': {
        next: null,
        results: [{ id: 'L2', listing_id: 'L2', created_at: '2026-02-01T00:00:00Z' }],
      },
      'listing.browse': { next: null, results: [], missing: ['L2'] },
    }),
  )
  reader.watch('listings.saved', {})
  await expect
    .poll(async () => (await reader.store.ownLists.findOne('saved-cards').exec())?.ids)
    .toEqual(['L2'])
  const refetched: unknown[] = []
  const { fetch } = favouritesNeed
  for (let n = 0; n < 3; n++)
    expect(
      await fetch(
        { ...reader.tools, scheduleRefetch: (need) => void refetched.push(need.key) },
        { known: null, stale: true },
      ),
    ).toMatchObject({ kind: 'done' })
  expect(refetched).toEqual([])
})

test('for a visitor, saved listings stay on the device and nobody is asked for favourites', async () => {
  const reader = await openReader(
    by({ 'listing.browse': { next: null, results: [card('L1')] } }),
    '',
  )
  await reader.store.saved.put([{ id: 'L1', newest: 0, saved: true }])
  const held = reader.watch('listings.saved', {})
  await expect.poll(() => shown(held())).toEqual(['L1'])
  expect(reader.asked.map(({ name, query }) => `${name} ${String(query['ids'])}`)).toEqual([
    'listing.browse L1',
  ])
})

test('[S2.13] a saved listing confirmed by a clock one year ahead is requested again', async () => {
  const reader = await openReader(
    by({ 'listing.browse': { next: null, results: [card('L1')] } }),
    '',
  )
  await reader.store.saved.put([{ id: 'L1', newest: 0, saved: true }])
  reader.skip = 365 * 24 * 3_600_000
  const held = reader.watch('listings.saved', {})
  await expect.poll(() => shown(held())).toEqual(['L1'])
  reader.skip = 0
  await reader.again('listings.saved', {})
  expect(reader.asked.filter(({ name }) => name === 'listing.browse')).toHaveLength(2)
})

test('badges are the server’s counters until the data is local, then they are counted', async () => {
  const user = {
    id: 'U1',
    username: 'moi',
    counters: { unread_messages: 5, unread_conversations: 1, unread_notifications: 4 },
  }
  const notice = (id: string, read: boolean) => ({
    id,
    event: 'follow.created',
    event_id: `E${id}`,
    ts: '2026-03-01T00:00:00Z',
    title: 'Nouvel abonné',
    message: '',
    read,
  })
  const reader = await openReader(
    by({
      'account.me': user,
      'notification.list': {
        results: [notice('N1', false), notice('N2', true)],
        next: null,
        unread_count: 1,
        cursor: 'n2',
      },
    }),
  )
  const held = reader.watch('account.me', {})
  await expect.poll(() => held()?.facts).toEqual({ unreadMessages: 5, unreadNotifications: 4 })
  const notices = reader.watch('notifications.latest', { limit: 6 })
  await expect.poll(() => held()?.facts).toEqual({ unreadMessages: 5, unreadNotifications: 1 })
  await expect.poll(() => shown(notices())).toEqual(['N1', 'N2'])
  await reader.store.notifications.change('N1', (row) => ({ ...row, read: true }))
  await reader.again('notifications.latest', { limit: 6 })
  await expect.poll(() => held()?.facts.unreadNotifications).toBe(0)
  expect(reader.asked.at(-1)?.query['after']).toBe('n2')
})

test('specs are the built-in ones until the server’s arrive, and if those have another shape', async () => {
  const reader = await openReader(() => offline, '')
  reader.goOffline()
  const held = reader.watch('catalogue.specs', {})
  await expect.poll(() => held()?.status).toBe('offline')
  const row = held()?.rows[0]
  expect(row?.id === 'specs' && row.specs.length).toBe(18)
  reader.server = by({ 'catalogue.specs': { results: [{ nom: 'Voitures' }] } })
  reader.goOnline()
  await expect.poll(() => held()?.status).toBe('ready')
  expect(held()?.rows[0]).toEqual(row)
})

test('counts per filter are counted locally until the server has answered', async () => {
  const reader = await openReader(
    by({
      'listing.browse': {
        next: null,
        results: [
          card('L1'),
          card('L2'),
          card('L3', 0, { region: 'guiriko', region_name: 'Guiriko' }),
        ],
      },
    }),
    '',
  )
  const list = reader.watch('listings.browse', { filters: {}, limit: 20 })
  await expect.poll(() => list()?.status).toBe('ready')
  const held = reader.watch('listings.facets', { filters: { region: 'kadiogo' } })
  await expect
    .poll(() => held()?.facts)
    .toMatchObject({
      facets: {
        count: 2,
        regions: [
          { value: 'kadiogo', count: 2 },
          { value: 'guiriko', count: 1 },
        ],
      },
    })
})

test('a shop is shared by all accounts, so whether one follows it is not stored with it', async () => {
  const reader = await openReader(
    by({
      'shop.read': {
        id: 'U2',
        username: 'seller.2',
        slug: 'boutique-2',
        is_following: true,
        rating: { average: 4.6, count: 12 },
      },
    }),
  )
  const held = reader.watch('shop.detail', { slug: 'boutique-2' })
  await expect.poll(() => shown(held())).toEqual(['U2'])
  expect(held()?.facts).toEqual({ problem: null, isMe: false })
  expect(await reader.store.shops.findOne('U2').exec()).not.toHaveProperty('is_following')
})

test('a burst of a thousand listings becomes few frames, and only changed rows are sent', async () => {
  const reader = await openReader(
    by({ 'listing.browse': { next: null, results: [card('L0')] } }),
    '',
  )
  const held = reader.watch('listings.browse', { filters: { search: 'annonce' }, limit: 20 })
  await expect.poll(() => held()?.status).toBe('ready')
  const before = held()?.frames ?? 0
  const row = held()?.rows[0]
  if (row === undefined) throw new Error('no row')
  await reader.store.listings.put(
    Array.from({ length: 1000 }, (_, n) => ({ ...row, id: `X${n}`, newest: n })),
  )
  await reader.store.listings.put([{ ...row, title: 'changed' }])
  await expect.poll(() => held()?.rows[0]?.title).toBe('changed')
  expect((held()?.frames ?? 0) - before).toBeLessThanOrEqual(3)
})

test('asking again under the same key for more rows sends only the new ones', async () => {
  const rows = Array.from({ length: 40 }, (_, n) => card(`L${n}`, n))
  const reader = await openReader(by({ 'listing.browse': { next: null, results: rows } }), '')
  const held = reader.watch('listings.browse', { filters: {}, limit: 20 }, 'list')
  await expect.poll(() => held()?.rows.length).toBe(20)
  reader.sentRows = 0
  reader.watch('listings.browse', { filters: {}, limit: 40 }, 'list')
  await expect.poll(() => held()?.rows.length).toBe(40)
  expect(reader.sentRows).toBe(20)
  const other = reader.watch('listings.browse', { filters: {}, limit: 40 }, 'other')
  await expect.poll(() => other()?.rows.length).toBe(40)
  expect(reader.sentRows).toBe(60)
})

test('own listings in every state, with totals: local-only rows stay, rows the server dropped go', async () => {
  const own = (id: string, more: object = {}) =>
    card(id, 1, {
      seller: { id: 'U1', username: 'moi' },
      contacts_total: 3,
      created_at: '2026-02-27T09:40:00Z',
      ...more,
    })
  const totals = {
    all: 3,
    active: 1,
    archived: 1,
    pending: 1,
    sold: 0,
    views_total: 9,
    views_today: 1,
    contacts_total: 6,
  }
  const reader = await openReader(
    by({
      'listing.mine': {
        next: null,
        results: [
          own('L1'),
          own('L2', { is_archived: true, status: 'archived' }),
          own('L3', { review_status: 'pending', status: 'pending' }),
        ],
        totals,
      },
    }),
  )
  const held = reader.watch('listings.mine', { status: 'all' })
  await expect.poll(() => shown(held())?.toSorted()).toEqual(['L1', 'L2', 'L3'])
  await expect.poll(() => held()?.facts).toEqual({ totals })
  const [first] = held()?.rows ?? []
  if (first === undefined) throw new Error('no row')
  await reader.store.ownListings.put([{ ...first, id: 'local', client_id: 'local' }])
  reader.server = by({
    'listing.mine': {
      next: null,
      results: [own('L2', { is_archived: true, status: 'archived' })],
      totals,
    },
  })
  await reader.again('listings.mine', { status: 'all' })
  await expect.poll(() => shown(held())?.toSorted()).toEqual(['L2', 'local'])
  const archived = reader.watch('listings.mine', { status: 'archived' }, 'archived')
  await expect.poll(() => shown(archived())).toEqual(['L2'])
})

test('reviews of a shop are paginated, and who may write one is per account', async () => {
  const review = (id: string) => ({
    id,
    seller_id: 'U2',
    reviewer: { id: 'U7', username: 'x' },
    rating: 5,
    comment: 'Sérieux',
    created_at: '2026-03-01T00:00:00Z',
  })
  const aggregate = {
    seller_id: 'U2',
    average: 4.6,
    count: 3,
    distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 2 },
    my_review: null,
    can_review: true,
    cannot_review_reason: null,
  }
  const reader = await openReader(({ name, next }) => ({
    body:
      name === 'review.aggregate'
        ? aggregate
        : next === null
          ? { count: 3, next: '/api/reviews/?page=2', results: [review('R1'), review('R2')] }
          : { next: null, results: [review('R2'), review('R3')] },
  }))
  const held = reader.watch('shop.reviews', { slug: 'boutique-2', limit: 2 })
  await expect.poll(() => held()?.facts).toEqual({ count: 3, more: true, aggregate })
  const more = reader.watch('shop.reviews', { slug: 'boutique-2', limit: 10 }, 'more')
  await expect.poll(() => shown(more())).toEqual(['R1', 'R2', 'R3'])
  expect(more()?.facts.more).toBe(false)
})

test('a followed person and saved searches are per account', async () => {
  const search = {
    id: 'S1',
    name: 'Corolla',
    params: { search: 'corolla' },
    alerts: 'daily',
    new_count: 3,
    created_at: '2026-03-01T00:00:00.000Z',
    last_run_at: null,
  }
  const reader = await openReader(
    by({
      'follow.status': { user_id: 'U2', following: true, followers_count: 31 },
      'search.list': { count: 1, results: [search] },
    }),
  )
  const held = reader.watch('seller.follow', { id: 'U2' })
  await expect.poll(() => held()?.facts).toEqual({ following: true, followers: 31 })
  expect(reader.watch('seller.follow', { id: 'U1' }, 'self')()?.facts.following ?? false).toBe(
    false,
  )
  const searches = reader.watch('searches.saved', {})
  await expect.poll(() => searches()?.rows).toEqual([search])
  await reader.store.enter('')
  reader.who.next({ me: '', username: '', language: 'fr' })
  await expect.poll(() => [held()?.facts.following, searches()?.rows]).toEqual([false, []])
})

/** Answers when `answer` is called; until then this device goes on. */
function slow(bodies: Readonly<Record<string, unknown>>) {
  const { promise, resolve: answer } = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const server: Server = async ({ name }) => {
    asked.resolve()
    await promise
    return { body: bodies[name] }
  }
  return { server, answer, asked: asked.promise }
}

test('[S13.75] what was saved or unsaved during the fetch of the favourites stays so', async () => {
  const row = (id: string, saved = true) => ({ id, newest: 0, saved })
  const { server, answer, asked } = slow({
    'favourite.list': {
      next: null,
      results: ['L1', 'L2'].map((id) => ({
        id,
        listing_id: id,
        created_at: '1970-01-01T00:00:00Z',
      })),
    },
    'listing.browse': { next: null, results: [] },
  })
  const reader = await openReader(server)
  await reader.store.saved.put([row('L1'), row('L2'), row('L4')])
  const ids = reader.watch('saved.ids', {})
  await asked
  // Another tab does, and its entries are gone before this one runs again.
  await reader.store.saved.put([row('L1', false), row('L3')])
  answer()
  await expect.poll(() => ids()?.status).toBe('ready')
  await expect.poll(() => ids()?.facts.ids.toSorted()).toEqual(['L2', 'L3'])
})

test('[S13.75] an own listing that is published or deleted during the fetch stays so', async () => {
  const own = (id: string) => ({ ...detail(id), expires_at: null })
  const first = { next: null, results: [own('L1'), own('L2'), own('L4')] }
  const reader = await openReader(by({ 'listing.mine': first, 'listing.read': detail('L1') }))
  const held = reader.watch('listings.mine', { status: 'all' })
  await expect.poll(() => shown(held())?.toSorted()).toEqual(['L1', 'L2', 'L4'])
  const [row] = held()?.rows ?? []
  if (row === undefined) throw new Error('no row')
  const { server, answer, asked } = slow({
    'listing.mine': { next: null, results: [own('L1'), own('L2')] },
    'listing.read': detail('L1'),
  })
  reader.server = server
  const fetched = reader.again('listings.mine', { status: 'all' })
  await asked
  await reader.store.ownListings.put([{ ...row, id: 'L3', client_id: null }])
  await reader.store.ownListings.remove(['L2'])
  answer()
  await fetched
  await expect.poll(() => shown(held())?.toSorted()).toEqual(['L1', 'L3'])
})

test('[S13.75] facts that are written during their fetch are fetched again', async () => {
  const { server, answer, asked } = slow({ 'follow.status': { following: false, followers: 3 } })
  const reader = await openReader(server)
  const held = reader.watch('seller.follow', { id: 'U2' })
  await asked
  await reader.store.ownLists.put([
    { ...emptyList('follow:U2'), facts: { following: true, followers: 4 } },
  ])
  reader.server = by({ 'follow.status': { following: true, followers: 4 } })
  answer()
  await expect.poll(() => reader.asked.length).toBe(2)
  await expect.poll(() => held()?.status).toBe('ready')
  expect(held()?.facts).toEqual({ following: true, followers: 4 })
})

test('[S13.31] a frame names the length that its question asked for', async () => {
  const reader = await openReader(by({ 'listing.browse': { next: null, results: [card('L1')] } }))
  const limits: (number | null)[] = []
  const frames = reader.frames.subscribe(({ frame }) => limits.push(frame.limit))
  const short = reader.watch('listings.browse', { filters: {}, limit: 20 }, 'list')
  await expect.poll(() => short()?.status).toBe('ready')
  expect(new Set(limits)).toEqual(new Set([20]))
  limits.splice(0)
  reader.watch('listings.browse', { filters: {}, limit: 40 }, 'list')
  await expect.poll(() => limits).toContain(40)
  frames.unsubscribe()
  expect(new Set(limits)).toEqual(new Set([40]))
})
