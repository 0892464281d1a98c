import 'fake-indexeddb/auto'
import { firstValueFrom } from 'rxjs'
import { isDeepStrictEqual } from 'node:util'
import { openDB } from 'idb'
import { expect, test, vi } from 'vitest'
import { commands } from '#sync/nouns/commands'
import { queued, ruleOf } from '#sync/outbox/accept'
import { openDeviceDb } from '#sync/outbox/deviceDb'
import { DRAFT_STORES, PHONE_STORES, readRelease, releases, shapes } from '../golden/folder.ts'
import { here } from '../golden/outside.ts'

/** Creates the databases of a release, in its version with its rows; returns the name prefix. */
async function left(release: number): Promise<string> {
  const name = `release ${release}`
  // Both databases are at version 1. A later version repeats here what it adds in the app.
  const phone = await openDB(`${name}-phone`, 1, {
    upgrade(fresh) {
      for (const store of ['entries', 'texts', 'desk'])
        fresh.createObjectStore(store, { keyPath: 'id' })
      fresh.createObjectStore('seen', { autoIncrement: true }).createIndex('owner', 'owner')
      fresh.createObjectStore('bytes', { keyPath: 'day' })
    },
  })
  for (const store of PHONE_STORES)
    for (const row of rowsOf(release, store)) await phone.put(store, row)
  phone.close()
  // Dexie multiplies versions by ten.
  const drafts = await openDB(`${name}-drafts`, 10, {
    upgrade(fresh) {
      fresh.createObjectStore('drafts', { keyPath: 'id' }).createIndex('owner', 'owner')
      fresh.createObjectStore('photos', { keyPath: 'id' }).createIndex('draft', 'draft')
    },
  })
  for (const store of DRAFT_STORES)
    for (const row of rowsOf(release, store)) await drafts.put(store, row)
  drafts.close()
  return name
}

function rowsOf(release: number, store: string): readonly Record<string, unknown>[] {
  const rows = readRelease(release, store)
  if (!Array.isArray(rows)) throw new TypeError(store)
  return rows.map((row: unknown) => Object.assign({}, row))
}

test.each(releases())(
  '[SYNC 9] the data of release %i opens completely, and each of its entries can be sent',
  async (release) => {
    const name = await left(release)
    const { table, seen, meter } = await openDeviceDb(`${name}-phone`, here)
    const { entries, texts, meta, unread } = await table.read()
    expect(unread).toEqual([])
    expect(entries).toHaveLength(rowsOf(release, 'entries').length)
    const unknown = entries.filter(
      (entry) => queued(entry) === null || ruleOf(commands, entry.name) === null,
    )
    expect(unknown.map(({ name }) => name)).toEqual([])
    const [row = {}] = rowsOf(release, 'desk')
    expect(meta.sessions).toEqual(row['sessions'])
    expect([meta.sequence, meta.done, meta.made]).toEqual([
      row['place'] ?? row['sequence'],
      row['done'],
      row['made'],
    ])
    expect(texts.map(({ content }) => content)).toEqual(
      rowsOf(release, 'texts').map(({ content }) => content),
    )
    expect(await seen.read('U-awa')).toEqual(rowsOf(release, 'seen').map(({ id }) => id))
    expect(await meter.read('2026-11-01', '2026-11-30')).toHaveLength(
      rowsOf(release, 'bytes').length,
    )
    table.close()

    // The module opens its database once per realm.
    vi.resetModules()
    const { openDrafts } = await import('#sync/outbox/drafts')
    const drafts = await firstValueFrom(
      openDrafts(`${name}-drafts`, () => Promise.resolve()).observe('U-awa'),
    )
    expect(drafts.map(({ id }) => id).toSorted()).toEqual(
      rowsOf(release, 'drafts').map(({ id }) => id),
    )
  },
)

test('the newest golden rows have the current disk shapes (`npm run golden` writes new ones)', () => {
  const newest = releases().at(-1) ?? 0
  const verdict = isDeepStrictEqual(readRelease(newest, 'shapes'), shapes())
    ? 'the same'
    : `tests/golden/v${newest} has other shapes: run \`npm run golden\`, and commit the new folder beside the old ones`
  expect(verdict).toBe('the same')
})
