import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { Database, type Transact } from './connection.ts'
import { openDrafts } from './listingDrafts.ts'

const ID = '01a1ff45-1820-7f62-a478-e6867040002f'
const draftsWith = (makeRoom: () => Promise<void>) => {
  const database = new Database('drafts of a test', { factory: indexedDB })
  const opening = database.open()
  const transact: Transact = async (mode, stores, work) => {
    await opening
    return database.transaction(mode, stores, () => work(database))
  }
  return openDrafts(transact, 'none', {
    factory: indexedDB,
    freeSpace: makeRoom,
  })()
}
const draft = (title: string) => ({
  id: ID,
  owner: 'awa',
  fields: { title },
  photos: [],
  listing: null,
  at: 1,
})

test('[S2.38] a save that waits for space overwrites neither a newer one nor a removed draft', async () => {
  const rooms = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  const store = await draftsWith(() => rooms[asked++]?.promise ?? Promise.resolve())
  const held = async () => (await store.list('awa')).map(({ fields }) => fields)
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  const first = store.save(draft('Vélo'))
  await vi.waitFor(() => expect(asked).toBe(1))
  full.mockRestore()
  await store.save(draft('Vélo de ville'))
  rooms[0]?.resolve()
  await first
  expect(await held()).toEqual([{ title: 'Vélo de ville' }])

  const again = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  const late = store.save(draft('Vélo de ville, bleu'))
  await vi.waitFor(() => expect(asked).toBe(2))
  again.mockRestore()
  await store.remove(ID)
  rooms[1]?.resolve()
  await late
  expect(await held()).toEqual([])
})

test('[S2.38] where the browser cannot store Blobs (private Safari), a photo is stored as bytes', async () => {
  const put = IDBObjectStore.prototype.put
  const blobless = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    row: unknown,
    key,
  ) {
    if (row instanceof Object && 'file' in row && row.file instanceof Blob) {
      throw new DOMException(
        'Error preparing Blob/File data to be stored in object store',
        'UnknownError',
      )
    }
    return put.call(this, row, key)
  })
  const store = await draftsWith(() => Promise.resolve())
  const photo = {
    id: '01a1ff45-1820-7f62-a478-e68670400030',
    draft: ID,
    owner: 'awa',
    bytes: 3,
    width: 200,
    height: 200,
  }
  await store.savePhoto({ ...photo, file: new Blob(['abc'], { type: 'image/jpeg' }) })
  blobless.mockRestore()
  const file = await store.photo(photo.id)
  expect(file).toBeInstanceOf(Blob)
  expect(file instanceof Blob && [file.type, await file.text()]).toEqual(['image/jpeg', 'abc'])
})
