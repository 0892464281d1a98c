import { openDB } from 'idb'

/**
 * A photo out of the drafts' database, for who delivers without Dexie; null: it is not here. Opened as it is: only the
 * wizard makes or migrates it.
 */
export async function readPhoto(name: string, id: string): Promise<unknown> {
  const database = await openDB(name)
  try {
    if (!database.objectStoreNames.contains('photos')) return null
    const found: unknown = await database.get('photos', id)
    return typeof found === 'object' && found !== null ? (Reflect.get(found, 'file') ?? null) : null
  } finally {
    database.close()
  }
}
