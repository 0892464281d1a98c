import { answered, opened } from './idb.ts'

/**
 * Reads a photo from the drafts database without loading Dexie; null: missing. Never migrates it:
 * only drafts.ts does.
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
