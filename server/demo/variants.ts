import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { avatarNames, variantNames } from '../files/variants.ts'
import type { MakeVariant } from '../files/routes.ts'
import type { FileStore } from '../files/storage.ts'
import type { Part } from '../files/imageWorker/render.ts'
import { semaphore } from '../files/semaphore.ts'
import type { Database } from '../db/open.ts'
import { avatars, things } from './pictures.ts'

type Source = Readonly<{
  file: string
  part: Part | null
  names: readonly string[]
  folders: readonly string[]
}>

const sources = new Map<string, Source>()
for (const { hash, file } of avatars)
  sources.set(hash, { file, part: null, names: avatarNames, folders: ['avatars'] })
for (const { hash, file, width, details } of things.flatMap(({ photos }) => photos)) {
  addPhoto(hash, file, width, null)
  for (const part of details) addPhoto(part.hash, file, part.width, part)
}

function addPhoto(hash: string, file: string, width: number, part: Part | null) {
  const folders = ['images', 'attachments']
  sources.set(hash, { file, part, names: variantNames(width), folders })
}

const limited = semaphore(availableParallelism())

/**
 * Made on first request and stored; concurrent requests share the work. Only pictures in the
 * database have variants.
 */
export function demoVariants(database: Database, store: FileStore): MakeVariant {
  const pending = new Map<string, Promise<Uint8Array | null>>()
  return (key) => {
    const running =
      pending.get(key) ?? make(database, store, key).finally(() => pending.delete(key))
    pending.set(key, running)
    return running
  }
}

async function make(database: Database, store: FileStore, key: string) {
  const [folder = '', hash = '', name = ''] = key.split('/')
  const source = sources.get(hash)
  if (!source?.folders.includes(folder) || !source.names.includes(name)) return null
  const row = await database.db
    .selectFrom('demo_picture')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!row) return null
  // Not loaded at the start: a decoder takes time and memory.
  const { avatarVariant, photoVariant } = await import('../files/imageWorker/render.ts')
  const bytes = await limited(async () => {
    const file = await readFile(join(import.meta.dirname, 'pictures', source.file))
    if (folder === 'avatars') return avatarVariant(file, name)
    return photoVariant(file, name, source.part)
  })
  await store.put(key, bytes)
  return bytes
}
