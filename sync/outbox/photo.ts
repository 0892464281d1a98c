import { answered, opened } from './idb.ts'

/**
 * A photo out of the drafts' database, for who delivers without Dexie; null: it is not here. Opened as it is: only the
 * wizard makes or migrates it.
 */
export async function readPhoto(factory: IDBFactory, name: string, id: string): Promise<unknown> {
  const database = await opened({ factory, name })
  try {
    if (!database.objectStoreNames.contains('photos')) return null
    const found: unknown = await answered(
      database.transaction('photos').objectStore('photos').get(id),
    )
    return typeof found === 'object' && found !== null ? (Reflect.get(found, 'file') ?? null) : null
  } finally {
    database.close()
  }
}
