import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { switchMap } from 'rxjs'
import { afterEach, describe, expect, test } from 'vitest'
import type { SavedDocument } from '#schema/disk/documents'
import { browserDisk, type Disk } from './open.ts'
import { openStore, type ManagedStore } from './store.ts'

const later = (ms: number, what: () => void) => {
  const timer = setTimeout(what, ms)
  return () => clearTimeout(timer)
}
const open: ManagedStore[] = []

async function store(
  disk: Disk,
  { owner = '', version = 1, name = newName() } = {},
): Promise<ManagedStore> {
  const keeper = await openStore({ name, version, disk, setTimer: later }, owner)
  open.push(keeper)
  return keeper
}

let names = 0
/** A new name per store: in-memory data is shared by name. */
const newName = () => `test${'abcdefghijklmnopqrstuvwxyz'.charAt(names++)}`

function fresh(): Disk {
  return browserDisk(
    new IDBFactory(),
    IDBKeyRange,
    () => ({
      post: () => undefined,
      close: () => undefined,
    }),
    later,
  )
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((keeper) => keeper.close()))
})

const saved = (id: string, newest = 0): SavedDocument => ({ id, newest, saved: true })

describe.each(['disk', 'memory'])('on %s', (kind) => {
  const disk = () => (kind === 'disk' ? fresh() : { ...fresh(), storage: null })

  test('finds by index in order, within bounds', async () => {
    const keeper = await store(disk())
    await keeper.saved.put([3, 1, 2, 5, 4].map((n) => saved(`s${n}`, n)))
    const ids = async (find: object) =>
      (await keeper.saved.find({ sort: [{ newest: 'asc' }], ...find }).exec()).map(({ id }) => id)
    expect(await ids({})).toEqual(['s1', 's2', 's3', 's4', 's5'])
    expect(await ids({ limit: 2 })).toEqual(['s1', 's2'])
    expect(await ids({ selector: { newest: { $gt: 2, $lte: 4 } } })).toEqual(['s3', 's4'])
    expect(keeper.state().memoryOnly).toBe(kind === 'memory')
  })

  test('writes are idempotent; reads by id', async () => {
    const keeper = await store(disk())
    await keeper.saved.put([saved('a'), saved('b')])
    await keeper.saved.put([saved('a', 1), saved('b')])
    await keeper.saved.remove(['b', 'c'])
    expect(await keeper.saved.findByIds(['b', 'a', 'x']).exec()).toEqual(
      new Map([['a', saved('a', 1)]]),
    )
    await keeper.saved.put([saved('b', 7)])
    await keeper.saved.change('b', (row) => ({ ...row, saved: false }))
    expect(await keeper.saved.findOne('b').exec()).toEqual({ id: 'b', newest: 7, saved: false })
    expect(await keeper.counts()).toMatchObject({ saved: 2 })
  })

  test('a row that was read by a repeated id is gone once it is removed', async () => {
    const keeper = await store(disk())
    await keeper.saved.put([saved('a'), saved('b')])
    const read = () => keeper.saved.findByIds(['a', 'b', 'a']).exec()
    expect([...(await read()).keys()].toSorted()).toEqual(['a', 'b'])
    await keeper.saved.remove(['a', 'c', 'a'])
    expect([...(await read()).keys()]).toEqual(['b'])
  })

  test('a live list changes with what is written, and ends with its last reader', async () => {
    const keeper = await store(disk())
    const emitted: string[][] = []
    const reading = keeper.saved
      .find({ sort: [{ newest: 'asc' }], limit: 2 })
      .$.subscribe((rows) => emitted.push(rows.map(({ id }) => id)))
    await expect.poll(() => emitted).toEqual([[]])
    await keeper.saved.put([saved('b', 2), saved('c', 3)])
    await expect.poll(() => emitted.at(-1)).toEqual(['b', 'c'])
    await keeper.saved.put([saved('a', 1)])
    await expect.poll(() => emitted.at(-1)).toEqual(['a', 'b'])
    reading.unsubscribe()
    const times = emitted.length
    await keeper.saved.remove(['a'])
    expect(emitted).toHaveLength(times)
  })

  test('after `quiet`, live queries show what was written, also those that an answer asks', async () => {
    const keeper = await store(disk())
    let shown: readonly SavedDocument[] | null = null
    const reading = keeper.saved
      .find({ sort: [{ newest: 'asc' }] })
      .$.pipe(switchMap((rows) => keeper.saved.findByIds(rows.map(({ id }) => id)).$))
      .subscribe((rows) => (shown = [...rows.values()]))
    await keeper.quiet()
    expect(shown).toEqual([])
    await keeper.saved.put([saved('a')])
    await keeper.quiet()
    expect(shown).toEqual([saved('a')])
    await keeper.saved.remove(['a'])
    await keeper.quiet()
    expect(shown).toEqual([])
    reading.unsubscribe()
  })

  test('[S4.02] accounts are separate, and work of one account is not written for the next', async () => {
    const keeper = await store(disk(), { owner: 'u1' })
    await keeper.saved.put([saved('mine')])
    const mine = keeper.bound()
    await keeper.enter('u2')
    expect(await keeper.saved.find({ sort: [{ newest: 'asc' }] }).exec()).toEqual([])
    await expect(mine.saved.put([saved('late')])).rejects.toThrow(
      expect.objectContaining({ name: 'Left' }),
    )
    expect(await keeper.saved.find({ sort: [{ newest: 'asc' }] }).exec()).toEqual([])
    await keeper.enter('u1')
    expect(await keeper.saved.find({ sort: [{ newest: 'asc' }] }).exec()).toEqual([saved('mine')])
    await keeper.forget('u1')
    expect(await keeper.saved.find({ sort: [{ newest: 'asc' }] }).exec()).toEqual([])
  })
})
