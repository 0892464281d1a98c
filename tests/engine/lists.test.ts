import { afterEach, expect, test, vi } from 'vitest'
import { card, offline, Reader, refused, type Server } from './reader.ts'

const open: Reader[] = []
async function openReader(
  server: Server,
  how: Parameters<typeof Reader.open>[1] = {},
): Promise<Reader> {
  const made = await Reader.open(server, how)
  open.push(made)
  return made
}
afterEach(async () => {
  for (const one of open.splice(0)) {
    await one.close()
    if (one.failures.length > 0) throw one.failures[0]
  }
})

/** A server whose list is `rows`, newest first, paginated by key. */
function market(rows: { list: readonly string[]; bound?: boolean }, size = 20): Server {
  return ({ name, next }) => {
    if (name !== 'listing.browse') return refused(404, 'not_found')
    const after = next === null ? null : new URLSearchParams(next.split('?')[1]).get('after')
    const from = after === null ? 0 : rows.list.indexOf(after) + 1
    const page = rows.list.slice(from, from + size)
    const more = from + size < rows.list.length
    return {
      body: {
        count: rows.list.length,
        ...(rows.bound === true && { count_is_exact: false }),
        next: more ? `/api/listings/?after=${page.at(-1)}` : null,
        results: page.map((id) => card(id, Number(id.slice(1)))),
      },
      etag: `W/"${page.join()}"`,
    }
  }
}
const ids = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `L${from + at}`)
const shown = (held: { readonly rows: readonly { readonly id: string }[] } | null) =>
  held?.rows.map(({ id }) => id)
const browse = { filters: {}, limit: 20 }

test('a first visit loads the list, shows it and records how far it is covered', async () => {
  const reader = await openReader(market({ list: ids(1, 50) }))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  expect(shown(held())).toEqual(ids(1, 20))
  expect(held()?.facts).toEqual({
    count: 50,
    coverage: 'covered',
    covered: 20,
    more: true,
    waiting: 0,
    problem: null,
  })
  expect(held()?.since).toBeGreaterThan(0)
})

test('[D106] a lower bound stays one until the server says a number', async () => {
  const rows = { list: ids(1, 5), bound: true }
  const reader = await openReader(market(rows))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.facts).toMatchObject({ count: 5, countIsExact: false })
  rows.bound = false
  rows.list = ids(1, 6)
  reader.unwatch('listings.browse')
  reader.skip = 61_000
  const again = reader.watch('listings.browse', browse)
  await expect.poll(() => again()?.facts).toMatchObject({ count: 6 })
  expect(again()?.facts).not.toHaveProperty('countIsExact')
})

test('one need is fetched once for all its readers, and not again while it is fresh', async () => {
  const reader = await openReader(market({ list: ids(1, 5) }))
  const one = reader.watch('listings.browse', browse, 'one')
  const two = reader.watch('listings.browse', { filters: { search: '' }, limit: 20 }, 'two')
  await expect.poll(() => [one()?.status, two()?.status]).toEqual(['ready', 'ready'])
  reader.unwatch('one')
  reader.watch('listings.browse', browse, 'one')
  await expect.poll(() => shown(one())).toEqual(ids(1, 5))
  expect(reader.asked).toHaveLength(1)
})

test('a stale list is revalidated with its ETag, and the cached rows show meanwhile', async () => {
  const rows = { list: ids(1, 5) }
  const reader = await openReader(market(rows))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  reader.unwatch('listings.browse')
  reader.skip = 61_000
  reader.watch('listings.browse', browse)
  await expect.poll(() => reader.asked.length).toBe(2)
  await expect.poll(() => held()?.status).toBe('ready')
  expect(reader.asked[1]?.etag).toBe('W/"L1,L2,L3,L4,L5"')
  expect(shown(held())).toEqual(ids(1, 5))
})

/** Fails each write of a list document until the returned function is called. */
function withoutRoom({ store }: Reader): () => void {
  const bound = store.bound.bind(store)
  const spy = vi.spyOn(store, 'bound').mockImplementation(() => {
    const made = bound()
    const full = new DOMException('full', 'QuotaExceededError')
    vi.spyOn(made.lists, 'put').mockRejectedValue(full)
    return made
  })
  return () => spy.mockRestore()
}

test('an ETag that a full device cannot store revalidates the next time, and is stored with room', async () => {
  const rows = { list: ids(2, 5) }
  const reader = await openReader(market(rows))
  expect(await reader.again('listings.browse', browse)).toBe(true)
  const makeRoom = withoutRoom(reader)
  rows.list = ids(1, 5)
  for (let n = 0; n < 3; n++) expect(await reader.again('listings.browse', browse)).toBe(true)
  const [before, now] = ['W/"L2,L3,L4,L5"', 'W/"L1,L2,L3,L4,L5"']
  expect(reader.asked.map(({ etag }) => etag)).toEqual([null, before, now, now])
  expect((await reader.store.listings.findOne('L1').exec())?.id).toBe('L1')
  makeRoom()
  expect(await reader.again('listings.browse', browse)).toBe(true)
  expect(reader.asked.at(-1)?.etag).toBe(now)
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => shown(held())).toEqual(ids(1, 5))
})

test.each([
  ['its rows are deleted', async ({ store }: Reader) => store.listings.remove(['L1'])],
  ['all data is deleted', async ({ store }: Reader) => store.clear()],
])('an ETag that a full device cannot store is not sent once %s', async (_what, drop) => {
  const rows = { list: ids(2, 5) }
  const reader = await openReader(market(rows))
  expect(await reader.again('listings.browse', browse)).toBe(true)
  const makeRoom = withoutRoom(reader)
  rows.list = ids(1, 5)
  expect(await reader.again('listings.browse', browse)).toBe(true)
  await drop(reader)
  makeRoom()
  expect(await reader.again('listings.browse', browse)).toBe(true)
  expect(reader.asked.map(({ etag }) => etag)).toEqual([null, 'W/"L2,L3,L4,L5"', null])
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => shown(held())).toEqual(ids(1, 5))
})

test('more rows are fetched page by page, without gaps or doubles though rows are inserted meanwhile', async () => {
  const rows = { list: ids(10, 60) }
  const reader = await openReader(market(rows))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  rows.list = ids(7, 60)
  const more = reader.watch('listings.browse', { ...browse, limit: 45 }, 'more')
  await expect.poll(() => more()?.rows.length).toBe(45)
  expect(shown(more())).toEqual(ids(10, 54))
  reader.watch('listings.browse', { ...browse, limit: 100 }, 'more')
  await expect.poll(() => more()?.facts.more).toBe(false)
  expect(shown(more())).toEqual(ids(10, 60))
})

test('new rows are held back and do not push what is read; a new reading shows them', async () => {
  const rows = { list: ids(10, 60) }
  const reader = await openReader(market(rows))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  rows.list = ids(7, 60)
  expect(await reader.again('listings.browse', browse)).toBe(true)
  await expect.poll(() => held()?.facts.waiting).toBe(3)
  expect(shown(held())).toEqual(ids(10, 29))
  const anew = reader.watch('listings.browse', { ...browse, from: 1 }, 'anew')
  await expect.poll(() => shown(anew())).toEqual(ids(7, 26))
  expect(anew()?.facts.waiting).toBe(0)
})

test('offline, a list seen before shows its cached rows with their time', async () => {
  const reader = await openReader(market({ list: ids(1, 50) }))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  const since = held()?.since
  reader.unwatch('listings.browse')
  reader.skip = 3_600_000
  reader.goOffline()
  reader.server = () => offline
  reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('offline')
  expect(shown(held())).toEqual(ids(1, 20))
  expect(held()?.since).toBe(since)
  expect(reader.asked).toHaveLength(1)
})

test('[S8.12] while the server fails, a cached list shows with its time, until it can be fetched again', async () => {
  const working = market({ list: ids(1, 5) })
  const reader = await openReader(working)
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  const since = held()?.since
  reader.unwatch('listings.browse')
  reader.server = () => ({ kind: 'later', why: 'server', retryAfterMs: null, reached: true })
  reader.skip = 61_000
  const again = reader.watch('listings.browse', browse)
  await expect.poll(() => again()?.status).toBe('offline')
  expect([shown(again()), again()?.since]).toEqual([ids(1, 5), since])
  reader.server = working
  await expect.poll(() => again()?.status).toBe('ready')
})

test('offline, local matches follow after the covered range, marked as local', async () => {
  const reader = await openReader(market({ list: ids(1, 50) }))
  reader.watch('listings.browse', { filters: { category: 'vehicles' }, limit: 40 }, 'wide')
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  await expect.poll(async () => (await reader.store.counts())['listings']).toBe(40)
  reader.goOffline()
  const more = reader.watch('listings.browse', { ...browse, limit: 60 }, 'more')
  await expect.poll(() => more()?.facts.coverage).toBe('partial')
  expect(shown(more())).toEqual(ids(1, 40))
  expect(more()?.facts).toMatchObject({ covered: 20, more: false })
})

test('offline, a search never asked before finds local listings, ignoring accents', async () => {
  const reader = await openReader(market({ list: ids(1, 30) }))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  reader.goOffline()
  const found = reader.watch(
    'listings.browse',
    { filters: { search: 'ànnonce L7', region: 'kadiogo' }, limit: 20 },
    'found',
  )
  await expect.poll(() => shown(found())).toEqual(['L7'])
  expect(found()).toMatchObject({
    status: 'offline',
    since: null,
    facts: { coverage: 'phone', covered: 0, count: 1 },
  })
})

test('an unreachable server leaves the question stale, not loading, and it is retried later', async () => {
  const reader = await openReader(() => ({
    kind: 'later',
    why: 'server',
    retryAfterMs: 50,
    reached: true,
  }))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('stale')
  reader.server = market({ list: ids(1, 3) })
  // Timers and clocks differ by some ms, and a clock may be set back.
  reader.skip = -10_000
  await expect.poll(() => held()?.status).toBe('ready')
  expect(shown(held())).toEqual(ids(1, 3))
})

test('a refusal becomes the problem of the list', async () => {
  const reader = await openReader(() => refused(400, 'invalid_choice'))
  const held = reader.watch('listings.browse', { filters: { region: 'nowhere' }, limit: 20 })
  await expect.poll(() => held()?.status).toBe('ready')
  expect(held()?.facts.problem).toBe('invalid_choice')
})

test('a deleted listing leaves the lists, and its detail gives the reason', async () => {
  const reader = await openReader(market({ list: ids(1, 5) }))
  const held = reader.watch('listings.browse', browse)
  await expect.poll(() => held()?.status).toBe('ready')
  const detail = reader.watch('listing.detail', { id: 'L2' })
  await expect.poll(() => detail()?.facts.problem).toBe('not_found')
  await expect.poll(() => shown(held())).toEqual(['L1', 'L3', 'L4', 'L5'])
  expect(detail()?.rows).toEqual([])
})
