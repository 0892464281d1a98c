import * as v from 'valibot'
import { answered, opened } from '../idb.ts'

/** Stored instead of a Blob where the browser cannot store Blobs (Safari's private windows). */
const bytesOfPhoto = v.object({ bytes: v.instance(ArrayBuffer), type: v.string() })

export async function bytesOf(file: Blob): Promise<v.InferOutput<typeof bytesOfPhoto>> {
  return { bytes: await file.arrayBuffer(), type: file.type }
}

/** The photo as it was saved, whichever way it is stored. */
export function fileOf(stored: unknown): unknown {
  return v.is(bytesOfPhoto, stored) ? new Blob([stored.bytes], { type: stored.type }) : stored
}

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
    return typeof found === 'object' && found !== null
      ? fileOf(Reflect.get(found, 'file') ?? null)
      : null
  } finally {
    database.close()
  }
}
