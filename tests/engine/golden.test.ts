import 'fake-indexeddb/auto'
import { isDeepStrictEqual } from 'node:util'
import { Dexie } from 'dexie'
import { expect, test, vi } from 'vitest'
import { commands } from '#sync/nouns/commands'
import { queued, ruleOf } from '#sync/outbox/accept'
import { isBeforeDexie, readRelease, releases, rowsOf, shapes, STORES } from '../golden/folder.ts'
import { deviceHere, type WholeDeviceDb } from '../golden/outside.ts'

/** Creates the databases of a release, in its version with its rows; returns the name prefix. */
async function left(release: number, name = `release ${release}`): Promise<string> {
  const firstStores = (meta: string) => ({
    entries: 'id',
    texts: 'id',
    [meta]: 'id',
    seen: '++,owner',
    bytes: 'day',
  })
  const draftStores = { drafts: 'id,owner', photos: 'id,draft' }
  const databases = isBeforeDexie(release)
    ? [
        database(`${name}-phone`, 1, firstStores('desk')),
        database(`${name}-drafts`, 10, draftStores),
      ]
    : [database(`${name}-phone`, 10, { ...firstStores('meta'), ...draftStores })]
  for (const one of databases) {
    for (const store of one.tables)
      await store.bulkPut(rowsOf(release, isStore(store.name) ? store.name : 'meta'))
    one.close()
  }
  return name
}

/** Versions are those of IndexedDB; Dexie counts in tenths. */
function database(name: string, version: number, stores: Record<string, string>): Dexie {
  const made = new Dexie(name)
  made.version(version / 10).stores(stores)
  return made
}

function isStore(name: string): name is (typeof STORES)[number] {
  return STORES.some((one) => one === name)
}

const idsOf = (release: number, store: (typeof STORES)[number]): readonly unknown[] =>
  rowsOf(release, store).map(({ id }) => id)

/** Everything a release left is here, once. */
async function expectWhole(release: number, device: WholeDeviceDb): Promise<void> {
  const { entries, texts, meta, unread } = await device.table.read()
  expect(unread).toEqual([])
  expect(entries.map(({ id }) => id)).toEqual(
    rowsOf(release, 'entries')
      .toSorted((a, b) => Number(a['place'] ?? a['sequence']) - Number(b['place'] ?? b['sequence']))
      .map(({ id }) => id),
  )
  expect(entries.filter(({ uncertain }) => uncertain)).toHaveLength(
    rowsOf(release, 'entries').filter((row) => row['doubt'] ?? row['uncertain']).length,
  )
  const [row = {}] = rowsOf(release, 'meta')
  expect([meta.sessions, meta.done, meta.made]).toEqual([row['sessions'], row['done'], row['made']])
  expect(meta.sequence).toBe(row['place'] ?? row['sequence'])
  expect(texts.map(({ content }) => content)).toEqual(
    rowsOf(release, 'texts').map(({ content }) => content),
  )
  const { seen, meter } = await device.open()
  expect(await seen.read('U-awa')).toEqual(idsOf(release, 'seen'))
  expect(await meter.read('2026-11-01', '2026-11-30')).toHaveLength(rowsOf(release, 'bytes').length)
  const drafts = await device.drafts()
  expect((await drafts.list('U-awa')).map(({ id }) => id).toSorted()).toEqual(
    idsOf(release, 'drafts'),
  )
  for (const id of idsOf(release, 'photos'))
    expect(await drafts.photo(String(id))).toBeInstanceOf(Blob)
}

test.each(releases())(
  '[SYNC 9] the data of release %i opens completely, and each of its entries can be sent',
  async (release) => {
    const name = await left(release)
    const device = await deviceHere(name)
    await expectWhole(release, device)
    const { entries } = await device.table.read()
    const unknown = entries.filter(
      (entry) => queued(entry) === null || ruleOf(commands, entry.name) === null,
    )
    expect(unknown.map((entry) => entry.name)).toEqual([])
    device.table.close()
  },
)

test('[SYNC 9] a crash at any write of the migration loses and doubles nothing', async () => {
  let crashes = 0
  for (let step = 1, done = false; !done; step += 1) {
    const name = await left(2, `crash ${step}`)
    let writes = 0
    const spies = (['put', 'delete'] as const).map((what) => {
      const write: (...of: never[]) => IDBRequest = IDBObjectStore.prototype[what]
      return vi.spyOn(IDBObjectStore.prototype, what).mockImplementation(function (
        this: IDBObjectStore,
        ...of: unknown[]
      ) {
        writes += 1
        if (writes >= step) throw new Error('crash')
        return Reflect.apply(write, this, of)
      })
    })
    const first = await deviceHere(name).catch(() => null)
    done =
      (await first?.drafts().then(
        () => true,
        () => false,
      )) === true
    first?.table.close()
    for (const spy of spies) spy.mockRestore()
    if (!done) crashes += 1
    const device = await deviceHere(name)
    await expectWhole(2, device)
    device.table.close()
    await expect
      .poll(async () => (await indexedDB.databases()).map((one) => one.name))
      .not.toContain(`${name}-drafts`)
  }
  // The meta, each entry, and each draft and photo twice.
  const count = (store: (typeof STORES)[number]): number => rowsOf(2, store).length
  expect(crashes).toBe(1 + count('entries') + 2 * (count('drafts') + count('photos')))
})

test('[SYNC 9] a draft that a tab of the earlier release writes after the migration is taken over too', async () => {
  const name = await left(2, 'beside')
  const first = await deviceHere(name)
  const [draft] = await (await first.drafts()).list('U-awa')
  first.table.close()
  const earlier = database(`${name}-drafts`, 10, { drafts: 'id', photos: 'id' })
  const fields = { title: 'Vélo de ville, bleu' }
  await earlier.table('drafts').put({ ...draft, fields, at: Number(draft?.at) + 1 })
  earlier.close()
  const device = await deviceHere(name)
  const drafts = await (await device.drafts()).list('U-awa')
  expect(drafts.find(({ id }) => id === draft?.id)?.fields).toEqual(fields)
  expect(drafts).toHaveLength(2)
  device.table.close()
})

test('the newest golden rows have the current disk shapes (`npm run golden` writes new ones)', () => {
  const newest = releases().at(-1) ?? 0
  const verdict = isDeepStrictEqual(readRelease(newest, 'shapes'), shapes())
    ? 'the same'
    : `tests/golden/v${newest} has other shapes: run \`npm run golden\`, and commit the new folder beside the old ones`
  expect(verdict).toBe('the same')
})
